import axios from 'axios';
import { sleep } from 'n8n-workflow';

import { Indexing } from './indexing';
import type { RecordPage, Service, ServiceOptions } from './service';
import { startService } from './service';

const KEYS = { apiKey: 'k'.repeat(40), authKey: 'a'.repeat(40) };
const BUILDER = '/ai-agents/agent-builder';
const RECORDS = `${BUILDER}/knowledge-base`;
const PDF = { mimeType: 'application/pdf', fileSize: 3 };
const EVER = { ms: Infinity };

let service: Service;
afterEach(() => service.stop());

async function start(options: Partial<ServiceOptions> = {}): Promise<void> {
	service = await startService({ ...KEYS, ...options });
}

function call<T>(method: string, path: string, data?: unknown) {
	const url = `${service.baseUrl}${path}`;
	const headers = { apikey: KEYS.apiKey };
	return axios.request<T>({ method, url, data, headers, validateStatus: null });
}

function change(operation: 'add' | 'remove', uniqueIds: string[], sourceType = 'uploads') {
	const path = `${BUILDER}/agents/support-bot/knowledge-base/${sourceType}/${operation}`;
	return call('PATCH', path, { uniqueIds });
}

/** @returns The ID of a file whose bytes are there. */
async function upload(fileName: string): Promise<string> {
	const files = [{ ...PDF, fileName }];
	const { data } = await call<{ uploads: Array<{ uploadId: string; presignedUrl: string }> }>(
		'POST',
		`${RECORDS}/uploads/initiate`,
		{ files },
	);
	const [{ uploadId, presignedUrl } = { uploadId: '', presignedUrl: '' }] = data.uploads;
	await axios.put(presignedUrl, 'PDF', { headers: { 'Content-Type': PDF.mimeType } });
	return uploadId;
}

/** @returns The ID of a text. */
async function write(title = 'Hours', text = '9 to 5'): Promise<string> {
	const { data } = await call<{ data: { uniqueId: string } }>('POST', `${RECORDS}/text`, {
		title,
		text,
	});
	return data.data.uniqueId;
}

async function poll(...uniqueId: string[]) {
	const { data } = await call<{ data: Record<string, string> }>('POST', `${RECORDS}/status/poll`, {
		uniqueId,
	});
	return data.data;
}

/** Polls until no file is on its way any more. */
async function settled(...ids: string[]) {
	let statuses = await poll(...ids);
	while (Object.values(statuses).includes('indexing')) {
		await sleep(5);
		statuses = await poll(...ids);
	}
	return statuses;
}

describe('the list of records', () => {
	const page = async (query: string) => {
		const { data } = await call<RecordPage>('GET', `${RECORDS}?${query}`);
		return { ids: data.data.map(({ uniqueId }) => uniqueId), meta: data.meta };
	};

	it('shows what is documented of a file and of a text, newest first', async () => {
		await start({ indexing: EVER });
		const ids = [await upload('a.pdf'), await write('Hours')];
		const { data } = await call<RecordPage>('GET', RECORDS);
		const common = { appId: 'stand-in-app', status: 'indexing', lastSynced: null };
		const times = { createdAt: expect.any(Number), updatedAt: expect.any(Number) };
		expect(data).toEqual({
			data: [
				{ uniqueId: ids[1], sourceName: 'Hours', type: 'text-details', ...common, ...times },
				{ uniqueId: ids[0], sourceName: 'a.pdf', type: 'uploads', ...common, ...times },
			],
			meta: { current: { limit: 10, count: 2 } },
		});
	});

	it('has a way back', async () => {
		await start({ records: 30 });
		const first = await page('limit=10');
		const second = await page(`limit=10&affix=append&cursor=${first.meta.next?.cursor}`);
		const before = second.meta.previous?.cursor;
		expect(first.meta.previous).toBeUndefined();
		expect((await page(`limit=10&affix=prepend&cursor=${before}`)).ids).toEqual(first.ids);
	});

	it('pages through records of one millisecond, though one at the edge is deleted', async () => {
		const createdAt = 1_732_492_800_000;
		const records = ['e', 'd', 'c', 'b', 'a'].map((uniqueId) => ({
			uniqueId,
			sourceName: `${uniqueId}.pdf`,
			createdAt,
		}));
		await start({ records });
		const first = await page('limit=2');
		await call('DELETE', `${RECORDS}/uploads/d`);
		expect(first.ids).toEqual(['e', 'd']);
		expect((await page(`limit=9&cursor=${first.meta.next?.cursor}`)).ids).toEqual(['c', 'b', 'a']);
	});

	it.each([
		['startTime=200', ['c', 'b']],
		['endTime=200', ['b', 'a']],
		['startTime=101&endTime=299', ['b']],
		['start=0&end=1', ['c', 'b', 'a']],
	])('for %s holds %j', async (query, ids) => {
		const at = (uniqueId: string, createdAt: number) => ({ uniqueId, sourceName: 'x', createdAt });
		await start({ records: [at('c', 300), at('b', 200), at('a', 100)] });
		expect(await page(query)).toMatchObject({ ids });
	});

	it.each([
		'limit=0',
		'limit=101',
		'cursor=x',
		'affix=up',
		'type=uploads',
		'status=failed',
		'search=a',
	])('by %s is refused with 400, for nothing else is documented', async (query) => {
		await start();
		expect(await call('GET', `${RECORDS}?${query}`)).toMatchObject({ status: 400 });
	});

	it('can insist on start and end, which are marked required', async () => {
		await start({ startAndEnd: 'require' });
		expect(await call('GET', RECORDS)).toMatchObject({ status: 400 });
		expect(await call('GET', `${RECORDS}?start=0`)).toMatchObject({ status: 400 });
		expect(await call('GET', `${RECORDS}?start=0&end=1`)).toMatchObject({ status: 200 });
	});

	it('can name the next page in another way', async () => {
		await start({ records: 30, recordsNext: 'after' });
		const { data } = await call<RecordPage>('GET', RECORDS);
		expect(data.meta.next).toEqual({ affix: 'append', after: expect.stringMatching(/^\d+\.\d+$/) });
	});

	it('is behind as long as it is told: what is new is not there, and what is deleted is', async () => {
		const lagsMs = { records: 60_000 };
		await start({ lagsMs, records: [{ uniqueId: 'a', sourceName: 'a.pdf' }] });
		const id = await upload('b.pdf');
		await call('DELETE', `${RECORDS}/uploads/a`);
		expect(await page('')).toMatchObject({ ids: ['a'] });
		lagsMs.records = 0;
		expect(await page('')).toMatchObject({ ids: [id] });
	});

	it('is as at the start after a reset', async () => {
		await start({ records: 3 });
		const before = service.records();
		await write();
		await call('DELETE', `${RECORDS}/uploads/${before[1]?.uniqueId}`);
		service.reset();
		expect(service.records()).toEqual(before);
	});
});

describe('indexing', () => {
	it('fails for the file that it is told, as often as it is told, and for every so-manieth', async () => {
		await start({ indexing: { ms: 0, failEvery: 4 } });
		service.scriptIndexing({ for: { fileName: 'a.pdf' }, ends: 'failed' });
		const ids = [];
		for (const name of ['b.pdf', 'a.pdf', 'a.pdf', 'c.pdf']) ids.push(await upload(name));
		const statuses = await settled(...ids);
		expect(ids.map((id) => statuses[id])).toEqual(['indexed', 'failed', 'indexed', 'failed']);
	});

	it('can be slow for one file, found by its ID, and end in inSync', async () => {
		await start({ indexing: { ms: 0, ends: 'inSync', starts: 'onAttach' } });
		const id = await upload('a.pdf');
		service.scriptIndexing({ for: { uniqueId: id }, ...EVER });
		await change('add', [id]);
		expect(await poll(id)).toEqual({ [id]: 'indexing' });
		expect(Object.values(await settled(await write()))).toEqual(['inSync']);
	});

	it('lets files wait in line when only so many are indexed at once', () => {
		const indexing = new Indexing({ ms: 10, atOnce: 2 });
		const endsMs = ['a', 'b', 'c', 'd', 'e'].map((id) => indexing.begin(id, id, 100).atMs);
		expect(endsMs).toEqual([110, 110, 120, 120, 130]);
		expect(indexing.begin('f', 'f', 125).atMs).toBe(135);
		expect(indexing.begin('g', 'g', 126).atMs).toBe(140);
	});

	it('waits for bytes, and if told so for an agent', async () => {
		await start({ indexing: { ms: 0, starts: 'onAttach' } });
		const id = await upload('a.pdf');
		await sleep(30);
		expect(await poll(id)).toEqual({ [id]: 'indexing' });
		await change('add', [id]);
		expect(await settled(id)).toEqual({ [id]: 'indexed' });
	});

	it.each([
		['fromInitiate' as const, ['indexing']],
		['fromBytes' as const, []],
	])('with records %s shows %j of a file without bytes', async (recorded, statuses) => {
		await start({ uploads: { recorded }, indexing: { ms: 0 } });
		await call('POST', `${RECORDS}/uploads/initiate`, { files: [{ ...PDF, fileName: 'a.pdf' }] });
		await sleep(30);
		expect(service.records().map(({ status }) => status)).toEqual(statuses);
		const id = await upload('b.pdf');
		expect(await settled(id)).toEqual({ [id]: 'indexed' });
	});
});

describe('a poll', () => {
	it('leaves out what is unknown, or refuses all of it', async () => {
		await start({ records: [{ uniqueId: 'a', sourceName: 'a.pdf', status: 'failed' }] });
		expect(await poll('nobody', 'a')).toEqual({ a: 'failed' });
		await service.stop();
		await start({ unknownInPoll: 'refuse' });
		const data = { error: { code: 'ERR_KB_NOT_FOUND' } };
		const reply = await call('POST', `${RECORDS}/status/poll`, { uniqueId: ['nobody'] });
		expect(reply).toMatchObject({ status: 404, data });
	});

	it.each([{}, { uniqueIds: ['a'] }, { uniqueId: 'a' }, { uniqueId: [1] }])(
		'of %j is refused with 400',
		async (body) => {
			await start();
			expect(await call('POST', `${RECORDS}/status/poll`, body)).toMatchObject({ status: 400 });
		},
	);
});

describe('a text', () => {
	it('is created in indexing, as a Markdown file', async () => {
		await start();
		const reply = await call('POST', `${RECORDS}/text`, { title: 'Hours', text: '9 to 5' });
		const [record] = service.records();
		expect(reply).toMatchObject({ status: 201 });
		expect(reply.data).toEqual({
			success: true,
			message: expect.any(String),
			data: {
				uniqueId: record?.uniqueId,
				title: 'Hours',
				fileName: expect.stringMatching(/\.md$/),
				s3Key: expect.stringMatching(/^stand-in-app\/text\/.+\.md$/),
				status: 'indexing',
			},
		});
	});

	it.each([
		['a title of 500 and a text of 5000', 500, 5000, 201],
		['a longer title', 501, 5000, 400],
		['a longer text', 500, 5001, 400],
		['no title', 0, 1, 400],
		['no text', 1, 0, 400],
	])('with %s characters', async (_, title, text, status) => {
		await start();
		const body = { title: 't'.repeat(title), text: '😀'.repeat(text) };
		expect(await call('POST', `${RECORDS}/text`, body)).toMatchObject({ status });
	});
});

describe('deleting', () => {
	it('takes a text away for good, and not one of the other kind', async () => {
		await start();
		const id = await write();
		expect(await call('DELETE', `${RECORDS}/uploads/${id}`)).toMatchObject({ status: 404 });
		const { data } = await call('DELETE', `${RECORDS}/text/${id}`);
		const gone = { uniqueId: id, deletedFromAgents: true, vectorsDeleted: true };
		expect(data).toMatchObject({ success: true, data: gone });
		expect(service.records()).toEqual([]);
	});

	it('can free the ID for the next that comes', async () => {
		await start({ freedIds: 'again' });
		const id = await write();
		await call('DELETE', `${RECORDS}/text/${id}`);
		expect([await write(), await write()]).toEqual([id, expect.not.stringMatching(id)]);
	});

	it('can leave the agents as they are', async () => {
		await start({ deleting: 'keepAttached' });
		const id = await write();
		await change('add', [id], 'text');
		const { data } = await call('DELETE', `${RECORDS}/text/${id}`);
		expect(data).toMatchObject({ data: { deletedFromAgents: false } });
		expect(service.files('support-bot', 'text')).toEqual([id]);
	});
});

describe('told to be strict, the stand-in', () => {
	const UNKNOWN = { status: 404, data: { error: { code: 'ERR_KB_NOT_FOUND' } } };

	it('adds no file that it does not hold, and none of a request with such a file', async () => {
		await start({ unknownFiles: 'refuse', records: [{ uniqueId: 'a', sourceName: 'a.pdf' }] });
		expect(await change('add', ['a', 'b'])).toMatchObject(UNKNOWN);
		expect(await change('add', ['a'], 'text')).toMatchObject(UNKNOWN);
		expect(service.files('support-bot', 'uploads')).toEqual([]);
		expect(await change('add', ['a'])).toMatchObject({ status: 200 });
		expect(await change('add', ['a'], 'knowledge-base')).toMatchObject({ status: 200 });
		expect(await change('remove', ['b'])).toMatchObject({ status: 200 });
	});

	it.each([
		['indexed' as const, 200, undefined],
		['inSync' as const, 200, undefined],
		['indexing' as const, 400, 'ERR_BAD_REQUEST'],
		['failed' as const, 400, 'ERR_KB_INDEXING_FAILED'],
	])('answers the adding of a file that is %s with %i', async (state, status, code) => {
		const records = [{ uniqueId: 'a', sourceName: 'a.pdf', status: state }];
		await start({ unindexedFiles: 'refuse', records });
		const data = code === undefined ? { success: true } : { error: { code } };
		expect(await change('add', ['a'])).toMatchObject({ status, data });
		expect(await change('add', ['unknown'])).toMatchObject({ status: 200 });
	});

	it('cannot be so strict that nothing could ever be attached', async () => {
		await start();
		const strict = { unindexedFiles: 'refuse' as const, indexing: { starts: 'onAttach' as const } };
		await expect(startService({ ...KEYS, ...strict })).rejects.toThrow('Nothing could ever');
	});
});

describe('for benchmarks, the stand-in', () => {
	it('can leave out openapi.json, and still does and refuses what it should', async () => {
		await start({ checked: false });
		expect(await change('add', ['a'])).toMatchObject({ status: 200, data: { success: true } });
		expect(service.files('support-bot', 'uploads')).toEqual(['a']);
		expect(await call('GET', '/users')).toMatchObject({ status: 404 });
		const data = { statusCode: 400, error: 'Bad Request' };
		for (const [method, path] of [
			['PATCH', `${BUILDER}/agents/support-bot/knowledge-base/uploads/add`],
			['POST', `${RECORDS}/status/poll`],
			['POST', `${RECORDS}/uploads/initiate`],
			['POST', `${RECORDS}/text`],
		] as const) {
			expect(await call(method, path, {})).toMatchObject({ status: 400, data });
		}
	});

	it('can keep no log', async () => {
		const kinds: string[] = [];
		await start({ keepLog: false, onEntry: ({ kind }) => kinds.push(kind) });
		await change('add', ['a']);
		expect(service.log).toEqual([]);
		expect(kinds).toEqual(['arrived', 'answered']);
	});
});
