import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed, Service } from '../../service/service';
import { polledNode } from '../engine';
import { credentialFor, freshService } from '../fixture';
import { arrivals, runFiles } from '../operations';

const ENDS = ['indexingFailed', 'indexingFinished'];

async function triggerFor(service: Service, parameters: INodeParameters = {}) {
	return await polledNode(credentialFor(service), { events: ENDS, ...parameters });
}

async function watching(service: Service, parameters: INodeParameters = {}) {
	const trigger = await triggerFor(service, parameters);
	expect(await trigger.poll()).toBeNull();
	service.clearLog();
	return trigger;
}

function underWay(count: number, titleOf: (at: number) => string): RecordSeed[] {
	return Array.from({ length: count }, (_, at) => ({
		uniqueId: `550e8400-e29b-41d4-a716-${String(at).padStart(12, '0')}`,
		sourceName: titleOf(at),
		type: 'text-details',
		status: 'indexing',
	}));
}

const indexed = (body: unknown): unknown =>
	JSON.parse(JSON.stringify(body).replaceAll('"indexing"', '"indexed"'));

/** From now on CometChat says of all documents that it has read them. */
function endAll(service: Service): void {
	service.script({ for: { operation: 'poll' }, transform: indexed, times: Infinity });
	service.script({ for: { operation: 'records' }, transform: indexed, times: Infinity });
}

describe('1,000 documents under way with the longest titles', () => {
	const titleOf = (at: number) => `${at} `.padEnd(500, '"title" ');
	const service = freshService({ records: underWay(1000, titleOf) });

	test('leave a state that is as small as with short ones, and their ends have the titles all the same', async () => {
		const trigger = await watching(service());
		expect(trigger.stored().length).toBeLessThan(350_000);
		endAll(service());
		const items = await trigger.poll();
		expect(items?.map(({ name }) => name).sort()).toEqual(
			Array.from({ length: 1000 }, (_, at) => titleOf(at)).sort(),
		);
		expect(await trigger.poll()).toBeNull();
	});

	test('are sorted out by titles for which there was no room', async () => {
		const trigger = await watching(service(), { filters: { nameContains: '99' } });
		endAll(service());
		const items = await trigger.poll();
		const expected = Array.from({ length: 1000 }, (_, at) => `${at}`).filter((number) =>
			number.includes('99'),
		);
		expect(items?.map(({ name }) => String(name).split(' ')[0]).sort()).toEqual(expected.sort());
	});
});

describe('5,000 documents that are indexed at the same time', () => {
	const service = freshService({ records: underWay(5000, (at) => `${at}.md`) });

	test('each give their end, also those that were unfinished before the trigger was there', async () => {
		const trigger = await watching(service());
		endAll(service());
		const items = await trigger.poll();
		expect(new Set(items?.map(({ uniqueId }) => uniqueId)).size).toBe(5000);
		expect(items).toHaveLength(5000);
		expect(arrivals(service()).length).toBeLessThanOrEqual(60);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('600 ends, and a service that answers slowly', () => {
	const newest = Array<RecordSeed>(100).fill({ sourceName: 'x.pdf' });
	const service = freshService({ records: [...newest, ...underWay(600, (at) => `${at}.md`)] });

	test('come in several polls: what one has learned in half of its time counts', async () => {
		const trigger = await watching(service());
		service().script({
			for: { operation: 'poll' },
			latencyMs: 4000,
			transform: indexed,
			times: Infinity,
		});
		const found: unknown[] = [];
		for (let polls = 0; polls < 6 && found.length < 600; polls++) {
			const items = (await trigger.poll(20_000)) ?? [];
			expect(items.length).toBeGreaterThanOrEqual(100);
			expect(items.length).toBeLessThanOrEqual(300);
			found.push(...items.map(({ uniqueId }) => uniqueId));
		}
		expect(new Set(found).size).toBe(600);
		expect(await trigger.poll()).toBeNull();
	});
});

/** A state of the version before, with these under way. */
function oldState(stored: string, ids: string[]): string {
	const { checkpoint } = Object(JSON.parse(stored));
	const unfinished = ids.map((uniqueId) => {
		return { record: { uniqueId, sourceName: `${uniqueId}.pdf` }, sinceMs: Date.now() };
	});
	const { account } = checkpoint;
	const floorMs = Date.now() - 60_000;
	return JSON.stringify({ checkpoint: { version: 1, account, floorMs, recent: [], unfinished } });
}

describe('Of more than 10,000 documents under way', () => {
	const service = freshService({
		records: [{ sourceName: 'x.pdf', createdAt: 1_700_000_000_000 }],
	});
	const ids = Array.from({ length: 10_000 }, (_, at) => `under-way-${at}`);
	const indexing = (body: unknown) => ({
		...Object(body),
		data: Object.fromEntries(ids.map((id) => [id, 'indexing'])),
	});

	async function overfull(events: string[]) {
		const trigger = await watching(service(), { events });
		trigger.restart(oldState(trigger.stored(), ids));
		service().script({ for: { operation: 'poll' }, transform: indexing, times: Infinity });
		service().scriptIndexing({ for: { fileName: 'One more' }, ms: Infinity });
		const parameters = { title: 'One more', text: 'Some text.', waitUntilIndexed: false };
		await runFiles(service(), 'text.create', { parameters });
		return trigger;
	}

	test.each([['indexingFailed'], ['indexingFinished']])(
		'it is told once of each that is not watched, to whoever waits for %s',
		async (event) => {
			const trigger = await overfull([event]);
			expect(await trigger.poll()).toEqual([
				{
					event: 'notWatched',
					reason: 'More than 10,000 documents are being indexed.',
					name: 'One more',
					sourceType: 'text',
					status: 'indexing',
					uniqueId: expect.any(String),
					createdAt: expect.any(String),
				},
			]);
			expect(trigger.stored().length).toBeLessThan(1_000_000);
			expect(await trigger.poll()).toBeNull();
		},
	);

	test('it is not told to whoever waits for no end', async () => {
		const trigger = await overfull(['documentAdded']);
		expect((await trigger.poll())?.map(({ event }) => event)).toEqual(['documentAdded']);
	});
});

describe('Questions that are refused for documents that are gone', () => {
	const service = freshService({
		unknownInPoll: 'refuse',
		records: [...Array(150).fill({ sourceName: 'x.pdf' }), ...underWay(600, (at) => `${at}.md`)],
	});

	test('cost a logarithm, and the ends of all others come', async () => {
		const trigger = await watching(service());
		const alive = underWay(600, String).map(({ uniqueId }) => String(uniqueId));
		const ids = alive.flatMap((id, at) => (at % 3 === 0 ? [id] : [id, `gone-${at}`]));
		expect(ids).toHaveLength(1000);
		trigger.restart(oldState(trigger.stored(), ids));
		service().script({ for: { operation: 'poll' }, transform: indexed, times: Infinity });
		const found: unknown[] = [];
		for (let polls = 0; polls < 100; polls++) {
			service().clearLog();
			found.push(...((await trigger.poll()) ?? []).map(({ uniqueId }) => uniqueId));
			expect(arrivals(service()).length).toBeLessThanOrEqual(62);
		}
		expect(found.sort()).toEqual([...alive].sort());
	});
});

const DAY_MS = 24 * 3600_000;

describe('A document that is dated in the future', () => {
	const service = freshService({ records: 200 });

	test.each<[string, number, number, boolean]>([
		['one, on a clock that is right', 1, 0, false],
		['one, on a clock that is two days ahead', 1, 2 * DAY_MS, false],
		["ten of them, where CometChat's clock shows", 10, 2 * DAY_MS, true],
	])('does not hide what comes after it: %s', async (_, count, aheadMs, isClockShown) => {
		// CometChat's clock is behind, which comes to the same.
		const behind = (body: unknown) => {
			const { data, meta } = { data: [], ...Object(body) };
			const records = data.map((record: object) => {
				const { createdAt } = { createdAt: 0, ...record };
				return { ...record, createdAt: createdAt - aheadMs };
			});
			const createdAt = Date.now() - aheadMs + DAY_MS;
			const future = Array.from({ length: count }, (__, at) => {
				return { uniqueId: `future-${at}`, sourceName: 'Future', createdAt };
			});
			return { data: [...future, ...records], meta };
		};
		const headers = { Date: new Date(Date.now() - aheadMs).toUTCString() };
		const trigger = await triggerFor(service(), { events: ['documentAdded'] });
		service().script({
			for: { operation: 'records' },
			transform: behind,
			...(isClockShown ? { headers } : {}),
			times: Infinity,
		});
		expect(await trigger.poll()).toBeNull();
		for (const title of ['First', 'Second']) {
			await runFiles(service(), 'text.create', { parameters: { title, text: 'Some text.' } });
			expect((await trigger.poll())?.map(({ name }) => name)).toEqual([title]);
		}
	});
});
