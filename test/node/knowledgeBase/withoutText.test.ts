import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed } from '../../service/service';
import { freshService } from '../fixture';
import type { OperationName } from '../operations';
import { agent, arrivals, continuing, errorOf, runFiles } from '../operations';
import { actionsOf, freshFolder, inMemory } from './folder';

const NAME = 'terms.pdf';
const records: RecordSeed[] = [
	{ sourceName: NAME, uniqueId: 'old' },
	{ sourceName: 'proof.pdf', uniqueId: 'proof' },
];

/** The pages of documents by ID or name: only the old version has text. */
const pages: Record<string, string[]> = { [NAME]: [' '] };
const service = freshService({ records, indexing: { ms: 0 }, pages });
/** A simulation in which no agent uses the old version. */
const unused = freshService({ records, indexing: { ms: 0 }, pages });
const TEXT = ['Forty thousand characters.'];

beforeEach(() => {
	pages.old = TEXT;
	service().attach('support-bot', ['old', 'proof'], 'uploads');
	unused().attach('support-bot', ['proof'], 'uploads');
});

const removals = () => arrivals(service()).filter((line) => /^(add|remove|delete)/.test(line));

const CASES: Array<[OperationName, string, INodeParameters]> = [
	['document.upload', 'Replace', { addToAgent: true, ifNameExists: 'replace' }],
	['document.upload', 'Replace and Delete', { addToAgent: true, ifNameExists: 'replaceAndDelete' }],
	['knowledgeBase.sync', 'Delete Own Versions', {}],
];

describe.each(CASES)('A new version without text: %s, %s', (name, _, parameters) => {
	const bring = async () =>
		await runFiles(service(), name, {
			...continuing,
			files: [{ data: inMemory(NAME) }],
			parameters: { uid: agent('support-bot'), ...parameters },
		});

	test('does not replace a version with text: the agent keeps it, and the item says what to do', async () => {
		const run = await bring();
		const [{ uniqueId = '' } = {}] = service().records();
		expect(errorOf(run)).toMatchObject({
			message: `CometChat found no text in "${NAME}", so the old version was not replaced`,
			description: expect.stringMatching(
				/Not added to the agent: .*Not removed from the agent: the old version "terms\.pdf" \(ID old\)\./,
			),
			effect: 'partly applied',
			uniqueId,
			old: [{ name: NAME, action: 'kept', uniqueId: 'old' }],
		});
		expect(String(Object(errorOf(run)).description)).not.toContain('Use these IDs');
		expect(service().files('support-bot', 'uploads')).toEqual(['old', 'proof']);
		expect(removals()).toEqual([]);
	});

	test('does not replace a version with text after a request that fails at first', async () => {
		service().script({ for: { operation: 'pages' }, status: 503 });
		await bring();
		expect(removals()).toEqual([]);
	});

	test('replaces a version without text, and the item says that it has none, either', async () => {
		pages.old = [''];
		const [row] = (await bring()).output;
		const reason = expect.stringContaining(`"${NAME}" and found no text`);
		expect(row?.json).toMatchObject({ action: 'replaced', success: true, reason });
		expect(service().files('support-bot', 'uploads')).not.toContain('old');
	});

	test.each([400, 503])(
		'keeps the old version while CometChat does not report whether there is text: %d',
		async (status) => {
			service().script({ for: { operation: 'pages' }, status, times: Infinity });
			const run = await bring();
			const reason = expect.stringContaining("didn't report whether the new version contains text");
			expect(run.output[0]?.json).toMatchObject({
				...{ action: 'added', success: true },
				old: [{ action: 'kept', uniqueId: 'old', reason }],
			});
			expect(run.hints).toContainEqual(
				expect.objectContaining({ type: 'warning', message: reason }),
			);
			expect(service().files('support-bot', 'uploads')).toContain('old');
		},
	);
});

test("Another item's failure, which stops the execution, leaves out no check for text", async () => {
	service().script({ for: { operation: 'poll' }, latencyMs: 5000 });
	service().script({ for: { operation: 'upload', fileName: 'b.pdf' }, status: 400 });
	await runFiles(service(), 'document.upload', {
		files: [{ data: inMemory(NAME) }, { data: inMemory('b.pdf') }],
		parameters: {
			...{ addToAgent: true, uid: agent('support-bot') },
			ifNameExists: 'replaceAndDelete',
		},
	});
	expect(service().files('support-bot', 'uploads')).toEqual(['old', 'proof']);
});

test('Without an agent, Replace and Delete does not delete a document with text for one without', async () => {
	const without = { addToAgent: false, ifNameExists: 'replaceAndDelete' };
	const run = await runFiles(unused(), 'document.upload', {
		...continuing,
		files: [{ data: inMemory(NAME) }],
		parameters: without,
	});
	expect(Object(errorOf(run)).message).toContain('so the old version was not replaced');
	expect(arrivals(unused()).filter((line) => line.startsWith('delete'))).toEqual([]);
});

describe('A new version without text in a folder', () => {
	const inFolder: Record<string, string[]> = {};
	const { night, idsOf, known, changes } = freshFolder({ pages: inFolder });

	test('is not uploaded again, and is deleted once the folder has a version with text', async () => {
		await night({ [NAME]: 'First' });
		const [first = ''] = idsOf(NAME);
		Object.assign(inFolder, { [first]: TEXT, [NAME]: [''] });
		const message = `CometChat found no text in "${NAME}", so the old version was not replaced`;
		expect(actionsOf(await night({ [NAME]: 'Scan' }))).toEqual([message]);
		const [scan = ''] = idsOf(NAME);
		const again = await night({ [NAME]: 'Scan' });
		expect(actionsOf(again)).toEqual([message]);
		expect(Object(errorOf(again)).description).toContain(
			'Replace the original with a version that opens',
		);
		expect([changes(), known()]).toEqual([[`poll ${scan}`], [NAME]]);
		Object.assign(inFolder, { [scan]: [''], [NAME]: TEXT });
		expect(actionsOf(await night({ [NAME]: 'Third' }))).toEqual([`replaced ${NAME}`]);
		expect(idsOf(NAME)).toEqual([expect.not.stringMatching(`^(?:${first}|${scan})$`)]);
	});
});
