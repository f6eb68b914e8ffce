import type { INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { RecordSeed, Rule, Service } from '../../service/service';
import type { IsStored } from '../engine';
import { polledNode } from '../engine';
import { credentialFor, freshService, KEY } from '../fixture';
import { agent, arrivals, file, runFiles } from '../operations';

const ALL = ['documentAdded', 'indexingFailed', 'indexingFinished'];

async function triggerFor(
	service: Service,
	parameters: INodeParameters = {},
	{ key = KEY, isStored }: { key?: string; isStored?: IsStored } = {},
) {
	return await polledNode(credentialFor(service, key), { events: ALL, ...parameters }, isStored);
}

async function watching(service: Service, parameters: INodeParameters = {}, isStored?: IsStored) {
	const trigger = await triggerFor(service, parameters, { isStored });
	expect(await trigger.poll()).toBeNull();
	service.clearLog();
	return trigger;
}

/** Creates a text entry, which CometChat indexes immediately or never. @returns Its ID. */
async function write(service: Service, title: string, ends: 'indexed' | 'failed' | 'never') {
	const end = ends === 'never' ? { ms: Infinity } : { ms: 0, ends };
	service.scriptIndexing({ for: { fileName: title }, ...end });
	await runFiles(service, 'text.create', { parameters: { title, text: 'Some text.' } });
	return service.records()[0]?.uniqueId ?? '';
}

const lines = (items: object[] | null) =>
	items?.map((item) => {
		const { name, event } = { name: '', event: '', ...item };
		return `${name} ${event}`;
	});

describe('CometChat Knowledge Base Trigger', () => {
	const service = freshService({ records: 2500 });

	test('the first poll emits nothing; later, each event is an item with the fields of Get Many', async () => {
		const trigger = await watching(service());
		const uniqueId = await write(service(), 'Opening hours', 'failed');
		const items = await trigger.poll();
		expect(items?.map((item) => Object.entries(item))).toEqual(
			['documentAdded', 'indexingFailed'].map((event) => [
				['event', event],
				['name', 'Opening hours'],
				['status', 'failed'],
				['uniqueId', uniqueId],
				['sourceType', 'text'],
				['createdAt', expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/)],
				['updatedAt', expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/)],
			]),
		);
		expect(await trigger.poll()).toBeNull();
	});

	test('the first poll reads the newest 1,000 documents, a later poll one page if nothing is new', async () => {
		const trigger = await triggerFor(service());
		await trigger.poll();
		expect(arrivals(service())).toEqual(Array(10).fill('records'));
		service().clearLog();
		await trigger.poll();
		expect(arrivals(service())).toEqual(['records']);
	});

	test('of two polls at the same time, only one emits the events', async () => {
		const trigger = await watching(service());
		await write(service(), 'Prices', 'failed');
		const both = await Promise.all([trigger.poll(), trigger.poll()]);
		expect(both.filter((items) => items !== null).map(lines)).toEqual([
			['Prices documentAdded', 'Prices indexingFailed'],
		]);
		expect(await trigger.poll()).toBeNull();
	});

	test.each<[string, INodeParameters, string[]]>([
		['one event', { events: ['indexingFailed'] }, ['Prices indexingFailed']],
		[
			'a name, in any case',
			{ filters: { nameContains: 'pRiC' } },
			['Prices documentAdded', 'Prices indexingFailed'],
		],
		['a type', { filters: { sourceTypes: ['uploads'] } }, []],
	])('only what is wanted starts the workflow: %s', async (_, parameters, expected) => {
		const trigger = await watching(service(), parameters);
		await write(service(), 'Prices', 'failed');
		await write(service(), 'Opening hours', 'indexed');
		expect(lines(await trigger.poll()) ?? []).toEqual(expected);
		// An unwanted event is no event of a later poll.
		expect(await trigger.poll()).toBeNull();
	});

	test('if reading the list takes longer than a poll, the next poll continues, and each event is emitted once', async () => {
		const trigger = await watching(service(), { events: ['documentAdded'] });
		const titles = Array.from({ length: 131 }, (_, at) => `Text ${at}`);
		const items = titles.map((title) => ({ title }));
		const parameters = { title: '={{ $json.title }}', text: 'Some text.' };
		await runFiles(service(), 'text.create', { items, parameters });
		service().script({ for: { operation: 'records' }, latencyMs: 30_000, times: Infinity });
		const events: string[] = [];
		for (let count = 0; count < 4; count += 1) {
			events.push(...(lines(await trigger.poll(36_000)) ?? []));
		}
		const expected = titles.map((title) => `${title} documentAdded`);
		expect([...events].sort()).toEqual([...expected].sort());
	});

	test('a poll without time is an error, and sends nothing', async () => {
		const trigger = await watching(service());
		await expect(trigger.poll(0)).rejects.toMatchObject({
			message: 'Checking CometChat needed more time than n8n allows',
			failure: { cause: 'temporarily-unavailable' },
		});
		expect(arrivals(service())).toEqual([]);
	});

	test('an error says that the key is wrong, and never contains the key', async () => {
		const trigger = await triggerFor(service(), {}, { key: 'wrong-key-wrong-key-wrong-key' });
		const thrown: unknown = await trigger.poll().catch((error: unknown) => error);
		expect(thrown).toMatchObject({
			name: 'NodeApiError',
			message: 'CometChat did not accept the API key',
			httpCode: '401',
		});
		expect(JSON.stringify(thrown)).not.toContain('wrong-key-wrong');
		expect(trigger.stored()).toBe('{}');
	});

	test('invalid parameters are refused before a request is sent', async () => {
		const trigger = await triggerFor(service(), { events: [] });
		await expect(trigger.poll()).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: "'Trigger On' is empty",
		});
		expect(service().log).toEqual([]);
	});

	test('a list without times of creation is an error', async () => {
		const trigger = await watching(service());
		const body = JSON.stringify({ data: [{ uniqueId: 'a' }], meta: {} });
		service().script({ body });
		await expect(trigger.poll()).rejects.toMatchObject({
			message: "CometChat doesn't report when documents were created",
		});
	});
});

/** The polls whose state n8n's durable scheduler stores. Publishing starts the first poll. */
const CURSORS = {
	off: (given, at) => at === 0 || given !== null,
	on: (given, at) => at > 0 || given !== null,
} satisfies Record<string, IsStored>;

describe.each(['off', 'on'] as const)(
	"On n8n's durable scheduler, with durable cursors %s",
	(cursors) => {
		const service = freshService({ records: [{ sourceName: 'old.pdf', uniqueId: 'old' }] });
		const isStored = CURSORS[cursors];

		test('a document that is added after publishing, before the next poll, raises its events once', async () => {
			const trigger = await watching(service(), {}, isStored);
			await write(service(), 'Prices', 'failed');
			expect(lines(await trigger.poll())).toEqual([
				'Prices documentAdded',
				'Prices indexingFailed',
			]);
			expect(await trigger.poll()).toBeNull();
		});

		test('a known document that is indexed again, and fails, raises an event once', async () => {
			const trigger = await watching(service(), {}, isStored);
			const again = (status: string) => {
				const transform = (body: unknown) =>
					JSON.parse(JSON.stringify(body).replace('indexed', status));
				service().script({ for: { operation: 'records' }, transform });
			};
			again('indexing');
			expect(await trigger.poll()).toBeNull();
			again('failed');
			expect(lines(await trigger.poll())).toEqual(['old.pdf indexingFailed']);
			expect(await trigger.poll()).toBeNull();
		});

		test('documents that are not wanted do not make later polls longer', async () => {
			const trigger = await watching(service(), { events: ['indexingFailed'] }, isStored);
			const items = Array.from({ length: 101 }, (_, at) => ({ title: `Text ${at}` }));
			const parameters = { title: '={{ $json.title }}', text: 'Some text.' };
			service().scriptIndexing({ for: {}, ms: 0, ends: 'indexed' });
			await runFiles(service(), 'text.create', { items, parameters });
			await sleep(16 * 60_000);
			await write(service(), 'Newest', 'indexed');
			for (const pages of [2, 1]) {
				service().clearLog();
				expect(await trigger.poll()).toBeNull();
				expect(arrivals(service())).toEqual(Array(pages).fill('records'));
			}
		});

		test('n8n that starts again with its stored data raises no event twice, and loses none', async () => {
			const before = await watching(service(), {}, isStored);
			await write(service(), 'First', 'failed');
			expect(lines(await before.poll())).toEqual(['First documentAdded', 'First indexingFailed']);
			const after = await triggerFor(service(), {}, { isStored });
			after.restart(before.stored());
			await write(service(), 'Second', 'indexed');
			expect(lines(await after.poll())).toEqual([
				'Second documentAdded',
				'Second indexingFinished',
			]);
		});

		test('events for which n8n did not start the workflow are raised again by the next poll', async () => {
			const trigger = await watching(service(), {}, (given, at) => at !== 1 && isStored(given, at));
			await write(service(), 'Prices', 'failed');
			const events = ['Prices documentAdded', 'Prices indexingFailed'];
			expect(lines(await trigger.poll())).toEqual(events);
			// A poll at the same time can't know whether n8n has started the workflow.
			expect(await trigger.poll()).toBeNull();
			await sleep(60_000);
			expect(lines(await trigger.poll())).toEqual(events);
			await sleep(60_000);
			expect(await trigger.poll()).toBeNull();
		});
	},
);

describe('A lost response', () => {
	const seed: RecordSeed = { sourceName: 'old.pdf', uniqueId: 'old', status: 'indexing' };
	const service = freshService({ records: [...Array(150).fill({ sourceName: 'x.pdf' }), seed] });

	test.each(['records', 'poll', 'agent'] as const)(
		'of the request "%s", after all attempts, is an error; no event is lost or emitted twice',
		async (operation) => {
			const filters = { uid: agent('support-bot') };
			const trigger = await watching(service(), { filters });
			await addedAndFailed();
			const stored = trigger.stored();
			service().script({ for: { operation }, status: 503, times: 5 });
			await expect(trigger.poll()).rejects.toMatchObject({
				message: "CometChat couldn't carry out the request",
				// The next poll continues by itself, so there is nothing to do.
				description: expect.stringMatching(
					/The next poll continues where the last successful poll ended\. .* The request was sent 5 times\./,
				),
			});
			expect(trigger.stored()).toBe(stored);
			expect(await trigger.poll()).toHaveLength(2);
			expect(await trigger.poll()).toBeNull();
		},
	);

	test('for a pause longer than the time of a poll is an error immediately, with the status for n8n to back off', async () => {
		const trigger = await watching(service());
		await write(service(), 'Prices', 'failed');
		service().clearLog();
		service().script({ status: 429, retryAfter: '40' });
		const startedMs = Date.now();
		await expect(trigger.poll(30_000)).rejects.toMatchObject({
			message: 'CometChat received more requests than the plan allows',
			httpCode: '429',
			description: expect.stringContaining('CometChat asked for a pause of 40 seconds'),
			failure: { cause: 'rate-limited', retryAfterMs: 40_000 },
		});
		expect(Date.now() - startedMs).toBeLessThan(10_000);
		expect(arrivals(service())).toEqual(['records']);
		expect(await trigger.poll()).toHaveLength(2);
	});

	test('is waited for until the time of the poll is over', async () => {
		const trigger = await watching(service());
		service().script({ stall: true, times: Infinity });
		const startedMs = Date.now();
		await expect(trigger.poll(20_000)).rejects.toMatchObject({
			message: 'CometChat did not answer in time',
		});
		expect(Date.now() - startedMs).toBeLessThan(25_000);
	});

	/** Creates a text entry that the agent uses, and that can't be indexed. */
	async function addedAndFailed(): Promise<void> {
		const id = await write(service(), 'Prices', 'failed');
		service().attach('support-bot', [id]);
		service().clearLog();
	}
});

describe('With an agent', () => {
	const filters = { uid: agent('support-bot') };

	describe('whose lists contain IDs of documents', () => {
		const service = freshService({
			records: [
				{ sourceName: 'news.pdf', uniqueId: 'listed' },
				...Array(150).fill({ sourceName: 'x.pdf' }),
				{ sourceName: 'menu.pdf', uniqueId: 'long ago' },
			],
		});

		test('only the documents that it uses start the workflow', async () => {
			const trigger = await watching(service(), { events: ['documentAdded'], filters });
			const own = await write(service(), 'Its own', 'indexed');
			await write(service(), "Another's", 'indexed');
			service().attach('support-bot', [own]);
			expect(lines(await trigger.poll())).toEqual(['Its own documentAdded']);
		});

		test('it is not requested while there is no event', async () => {
			const trigger = await watching(service(), { filters });
			await trigger.poll();
			expect(arrivals(service())).toEqual(['records']);
		});

		test('each of its own is found by one request, and another document raises no event later', async () => {
			const trigger = await watching(service(), { events: ['documentAdded'], filters });
			await runFiles(service(), 'document.upload', { files: [{ data: file('nobody.pdf') }] });
			service().clearLog();
			expect(await trigger.poll()).toBeNull();
			expect(arrivals(service())).toEqual(['records', 'agent support-bot']);
			service().attach('support-bot', [service().records()[0]?.uniqueId ?? '']);
			expect(await trigger.poll()).toBeNull();
		});

		test.each<[string, Rule[]]>([
			['with', []],
			['without', [{ for: { operation: 'agent' }, status: 404, envelope: 'agentService' }]],
		])(
			'that CometChat does not know, %s an error code, is an error with a clear message',
			async (_, rules) => {
				const parameters = { filters: { uid: agent('nobody') } };
				const trigger = await watching(service(), parameters);
				await write(service(), 'Prices', 'failed');
				service().script(...rules);
				const unknown = { message: 'CometChat has no agent with this ID' };
				await expect(trigger.poll()).rejects.toMatchObject(unknown);
			},
		);
	});

	describe('and websites', () => {
		const records = [...Array(1500).fill({ sourceName: 'x.pdf' })];
		const service = freshService({ records });

		test('those of its list start the workflow', async () => {
			// CometChat lists the text entry as a website, because a real one takes time.
			const transform = (body: unknown) =>
				JSON.stringify(body).replaceAll('text-details', 'website');
			service().script({ for: { operation: 'records' }, transform, times: Infinity });
			const trigger = await watching(service(), { events: ['documentAdded'], filters });
			const files = await write(service(), 'https://own.example', 'indexed');
			await write(service(), 'https://other.example', 'indexed');
			service().attach('support-bot', [files], 'website');
			expect(lines(await trigger.poll())).toEqual(['https://own.example documentAdded']);
		});
	});

	describe('that has no lists', () => {
		const service = freshService({ agentListsOf: { 'support-bot': 'null' } });

		test('an event is an error, and the state stays', async () => {
			const trigger = await watching(service(), { filters });
			const stored = trigger.stored();
			await write(service(), 'Prices', 'failed');
			await expect(trigger.poll()).rejects.toMatchObject({
				message: "CometChat doesn't report the documents of the agent in the filter 'Agent'",
			});
			expect(trigger.stored()).toBe(stored);
		});
	});
});

describe('In the editor', () => {
	const names = ['f', 'e', 'd', 'c', 'b', 'a'];
	const records = names.map((sourceName, at): RecordSeed => {
		return { sourceName, status: at % 2 === 0 ? 'failed' : 'indexed' };
	});
	const service = freshService({ records });

	test.each<[string[], string[]]>([
		[['indexingFailed'], ['f', 'd', 'b']],
		[
			['indexingFinished', 'documentAdded'],
			['f', 'e', 'd', 'e', 'c', 'a'],
		],
	])(
		'%j shows the newest three documents for each, %j, and saves nothing',
		async (events, expected) => {
			const trigger = await triggerFor(service(), { events });
			const items = await trigger.fetchTestEvent();
			expect(items?.map(({ name }) => name)).toEqual(expected);
			expect(trigger.stored()).toBe('{}');
			expect(new Set(arrivals(service()))).toEqual(new Set(['records']));
		},
	);

	test('if there is no event, the error says so', async () => {
		const trigger = await triggerFor(service(), { filters: { nameContains: 'nothing like it' } });
		await expect(trigger.fetchTestEvent()).rejects.toMatchObject({
			message: 'No data with the current filter could be found',
		});
	});

	test('the text under its name lists its events', async () => {
		const { subtitle } = await triggerFor(service(), {
			events: ['indexingFailed', 'documentAdded'],
		});
		expect(subtitle()).toBe('Indexing Failed, Document Added');
	});
});
