import type { RecordSeed } from '../../service/service';
import { add } from '../fixture';
import { agent, arrivals, continuing, file, runFiles } from '../operations';
import { actionsOf, freshFolder } from './folder';
import { freshAccount, HELD, jsonOf, RECORDS } from './replacement';

/** So many records, newest first. */
const manyRecords = (length: number): RecordSeed[] =>
	Array.from({ length }, (_, at) => ({
		sourceName: `other-${at}.pdf`,
		uniqueId: `other-${at}`,
	}));

/** Three pages of the account's list. */
const MANY = manyRecords(250);

const THREE = { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' };
const ALL_UNCHANGED = ['unchanged a.txt', 'unchanged b.txt', 'unchanged c.txt'];

describe('A night in which nothing has changed', () => {
	const { service, night, give, take, known } = freshFolder({ records: MANY });
	const quiet = async (options = {}) => {
		expect(actionsOf(await night(THREE, { options }))).toEqual(ALL_UNCHANGED);
		return arrivals(service());
	};

	test('asks one question for the agent, also with Only This Folder', async () => {
		await give('support-bot', 'other-0');
		await night(THREE);
		await take('support-bot', 'other-0');
		expect(await quiet()).toEqual(['agent support-bot']);
		expect(await quiet({ onlyThisFolder: true })).toEqual(['agent support-bot']);
	});

	test('looks up what else the agent has, once and no further than to that', async () => {
		await give('support-bot', 'other-120');
		await night(THREE);
		expect(await quiet()).toEqual(['agent support-bot', 'records', 'records']);
		expect(await quiet()).toEqual(['agent support-bot']);
		await give('support-bot', 'other-7');
		expect(await quiet()).toEqual(['agent support-bot', 'records']);
		expect(await quiet()).toEqual(['agent support-bot']);
	});

	test.each<[string, string, string[]]>([
		['of the same name', 'a.txt', ['replaced a.txt', ...ALL_UNCHANGED.slice(1)]],
		['of another name', 'z.txt', ALL_UNCHANGED],
	])('notices an upload %s that came from elsewhere', async (_, sourceName, wanted) => {
		await give('support-bot', 'other-0');
		await night(THREE);
		const parameters = { addToAgent: true, uid: agent('support-bot') };
		const files = [{ data: file(sourceName) }];
		await runFiles(service(), 'document.upload', { files, parameters });
		expect(actionsOf(await night(THREE))).toEqual(wanted);
	});

	test.each<[string, object]>([
		['is refused', { status: 400 }],
		['is no agent', { status: 200, body: '{"data":{}}' }],
		['shows no files', { transform: (body: unknown) => ({ ...Object(body), files: null }) }],
		['shows other IDs', { transform: (body: unknown) => ({ ...Object(body), files: ['x'] }) }],
	])('reads the lists where the answer for the agent %s', async (_, answer) => {
		await give('support-bot', 'other-0');
		await night(THREE);
		service().script({ for: { operation: 'agent' }, ...answer });
		expect(await quiet()).toEqual(expect.arrayContaining(['list']));
		expect(known()).toEqual([...Object.keys(THREE), 'other-0.pdf']);
	});

	test('takes out what else the agent has with Only This Folder, as soon as it has it', async () => {
		await give('support-bot', 'other-0');
		await night(THREE);
		await night(THREE);
		const options = { onlyThisFolder: true };
		expect(actionsOf(await night(THREE, { options }))).toContain('removed other-0.pdf');
		expect(known()).toEqual(Object.keys(THREE));
	});
});

// 100,000 take minutes, nearly all of it for the first night; they were tried by hand.
describe.each([1000, 10_000])('In an account of %d records', (length) => {
	const records = [...RECORDS, ...manyRecords(length)];
	const { service, night, give } = freshFolder({ records });
	const { service: account, replace } = freshAccount({ records });

	test('a night in which nothing has changed asks one question', async () => {
		await give('support-bot', 'other-0');
		await night(THREE);
		await night(THREE);
		expect(actionsOf(await night(THREE))).toEqual(ALL_UNCHANGED);
		expect(arrivals(service())).toEqual(['agent support-bot']);
	});

	test('Replace File reads one page of it', async () => {
		await replace();
		const reading = arrivals(account()).filter((line) => /^(records|list)/.test(line));
		expect(reading).toEqual(['records', 'list', 'list']);
	});
});

describe('Replace File in a large account', () => {
	const records = [...RECORDS, ...MANY];
	const { service, replace, attached, recordIds } = freshAccount({ records });
	const reading = () => arrivals(service()).filter((line) => /^(records|list|poll)/.test(line));
	const BY_ID = {
		oldVersionBy: 'id',
		oldFile: { __rl: true, mode: 'id', value: 'old' },
	};

	test.each([
		['name', {}],
		['ID', BY_ID],
	])('reads the list no further than to the old version, by %s', async (_, parameters) => {
		const run = await replace(parameters);
		const { newId } = jsonOf(run);
		expect(attached()).toEqual([...HELD.slice(1), newId]);
		expect(recordIds()).not.toContain('old');
		expect(reading()).toEqual(['records', 'list', `poll ${newId}`, 'list']);
	});

	test.each([
		['other-120', 'as far as needed to know', ['records', 'list', 'list', 'records']],
		['other-249', 'to its end', ['records', 'list', 'list', 'records', 'records']],
	])(
		'reads on, for an agent that has %s, before the old version is deleted: %s',
		async (...row) => {
			const [id, , wanted] = row;
			await add(service(), [{ agent: 'sales-assistant', files: [id] }]);
			service().clearLog();
			await replace();
			expect(recordIds()).not.toContain('old');
			expect(reading().filter((line) => !line.startsWith('poll'))).toEqual(wanted);
		},
	);

	test('keeps the old version where what another agent names cannot be read up', async () => {
		await add(service(), [{ agent: 'sales-assistant', files: ['other-249'] }]);
		const refusing = { for: { operation: 'records' as const }, status: 400 };
		service().script({ for: { operation: 'records' } }, refusing);
		const kept = jsonOf(await replace());
		expect(kept).toMatchObject({
			notDeleted: expect.stringContaining('the list of files could not be read'),
		});
		expect(recordIds()).toContain('old');
	});

	test('reads all of it to say that the agent has none', async () => {
		const failed = jsonOf(await replace({ oldFileName: 'other-249.pdf' }, continuing));
		expect(failed).toMatchObject({ message: expect.stringContaining('though CometChat has') });
		expect(reading().filter((line) => line === 'records')).toHaveLength(3);
	});

	test('reads on before it deletes an entry that it cannot fill', async () => {
		service().script({ for: { operation: 'upload' }, status: 400 });
		const failed = jsonOf(await replace({}, continuing));
		expect(failed).not.toMatchObject({ description: expect.stringContaining('without content') });
		expect(arrivals(service()).slice(-3)).toEqual([
			'records',
			'records',
			expect.stringMatching(/^deleteUpload /),
		]);
	});

	test('does not delete what has the ID of an entry that was there', async () => {
		const reused = (body: unknown) =>
			JSON.stringify(body).replace(/"uploadId":"[^"]+"/, '"uploadId":"other-249"');
		service().script({ for: { operation: 'initiate' }, transform: reused });
		service().script({ for: { operation: 'upload' }, status: 400 });
		await replace({}, continuing);
		expect(recordIds()).toContain('other-249');
	});

	test('names an entry that it cannot fill where the list cannot be read on: it may have been there', async () => {
		service().script({ for: { operation: 'upload' }, status: 400 });
		service().script(
			{ for: { operation: 'records' } },
			{ for: { operation: 'records' }, status: 400 },
		);
		const failed = jsonOf(await replace({}, continuing));
		expect(failed).toMatchObject({ description: expect.stringContaining('without content') });
		expect(arrivals(service()).join()).not.toContain('deleteUpload');
	});
});
