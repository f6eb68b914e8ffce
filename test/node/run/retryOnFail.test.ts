import type { INodeParameters } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import type { Run } from '../engine';
import { freshService } from '../fixture';
import type { OperationName } from '../operations';
import { agent, continuing, file, runFiles } from '../operations';

const SITE = 'https://new.example.com/';
const service = freshService({
	sites: { [SITE.slice(0, -1)]: { pages: [{ url: '/a' }] } },
	answering: { users: ['checker'] },
	indexing: { ms: 0 },
	records: [{ uniqueId: 'there', sourceName: 'there.pdf' }],
});

const bot = agent('support-bot');

/** Items `A` and `B`; n8n calls the node three times if it fails. */
const play = async (
	name: OperationName,
	parameters: INodeParameters,
	more: Parameters<typeof runFiles>[2] = {},
) =>
	await runFiles(service(), name, {
		...continuing,
		items: [{ name: '' }, { name: 'B' }],
		retryOnFail: true,
		...more,
		parameters,
	});

/** All that a user sees: what stopped the workflow, hints, rows. */
const shown = ({ error, hints, output }: Run) =>
	JSON.stringify([error?.message, error?.description, hints, output.map(({ json }) => json)]);

const warning = /Turn off 'Retry On Fail' in this node's Settings/;
const name = '={{ $json.name }}';

describe('With Retry On Fail, an item that is processed in each try is named, with all that was created', () => {
	const files = [{}, { data: file('B.txt') }];

	test.each<[OperationName, INodeParameters, object, RegExp]>([
		['agent.create', { name }, {}, /Earlier tries created: .*ID .*, item 2\), .*ID .*, item 2\)/],
		[
			'text.create',
			{ title: name, text: 'Open', ifTitleExists: 'add' },
			{},
			/"B" \(ID [^)]*, item 2\), "B" \(ID /,
		],
		['document.upload', {}, { files }, /"B\.txt" \(ID [^)]*, item 2\), "B\.txt" \(ID /],
		[
			'document.upload',
			{ addToAgent: true, uid: bot, ifNameExists: 'replace' },
			{ files },
			/"B\.txt" \(ID [^)]*, item 2\), "B\.txt" \(ID /,
		],
		[
			'website.crawl',
			{ url: `={{ $json.name && "${SITE}" }}`, addToAgent: false, ifSiteExists: 'refresh' },
			{},
			/"https:\/\/new\.example\.com\/" \(ID [^)]*, item 2\)/,
		],
		['agent.ask', { uid: bot, question: name, askAs: 'checker' }, {}, /Processed before: item 2\./],
	])('%s %j', async (operation, parameters, more, created) => {
		const run = await play(operation, parameters, more);
		expect(run.output).toHaveLength(2);
		for (const words of [String(run.hints[0]?.message), shown({ ...run, hints: [] })]) {
			const plain = words.replaceAll('\\"', '"');
			expect(plain).toMatch(warning);
			expect(plain).toContain('n8n ran all items 3 times. Processed before: item 2.');
			expect(plain).toMatch(created);
		}
	});

	test('in the error too, if it stops the workflow: n8n shows no hint then', async () => {
		const creation = { for: { operation: 'createAgent' as const } };
		const refused: Rule = { ...creation, status: 400, latencyMs: 500 };
		service().script(refused, creation, refused, creation, refused, creation);
		const items = [{ name: 'A' }, { name: 'B' }];
		const run = await play('agent.create', { name }, { items, onError: 'stopWorkflow' });
		const made = service()
			.agents()
			.filter((one) => one.name === 'B');
		expect(made).toHaveLength(3);
		for (const { uid } of made) expect(run.error?.description).toContain(`"B" (ID ${uid}, item 2)`);
		expect(run.error?.description).toMatch(warning);
	});

	test('in a hint if the last try succeeded', async () => {
		const creation = { for: { operation: 'createAgent' as const } };
		service().script({ ...creation, status: 400 });
		const items = [{ name: 'A' }, { name: 'B' }];
		const run = await play('agent.create', { name }, { items });
		expect(run.output.map(({ json }) => json.success)).toEqual([true, true]);
		expect(run.hints[0]).toMatchObject({
			type: 'warning',
			message: expect.stringMatching(warning),
		});
		expect(run.hints[0]?.message).toContain('2 times');
	});
});

describe('Nothing is said of Retry On Fail', () => {
	test.each<[string, OperationName, INodeParameters, Parameters<typeof runFiles>[2]]>([
		['in the first try', 'agent.create', { name }, { items: [{ name: 'A' }, { name: 'B' }] }],
		[
			'of what each try only reads',
			'agent.get',
			{ uid: agent('={{ $json.name && "support-bot" }}') },
			{},
		],
		['of what a later try finds', 'text.upsert', { title: name, text: 'Open' }, {}],
		[
			'of what may be done twice',
			'knowledgeBase.add',
			{ uid: bot, fileIds: '={{ $json.name && "there" }}' },
			{},
		],
	])('%s', async (_, operation, parameters, more) => {
		const run = await play(operation, parameters, more);
		expect(run.output.at(-1)?.json.error).toBeUndefined();
		expect(shown(run)).not.toContain('Retry On Fail');
	});
});
