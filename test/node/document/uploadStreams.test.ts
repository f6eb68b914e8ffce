import { sleep } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import { openedFiles } from '../engine';
import { continuing, file, runFiles } from '../operations';
import { freshFolder } from '../knowledgeBase/folder';
import { freshUploads } from './uploads';

const { service, upload } = freshUploads();
afterEach(() => jest.restoreAllMocks());

const when = { operation: 'upload' as const };
/** More than the system takes in at once. */
const LARGE = 'x'.repeat(3_000_000);
const large = (name: string) => ({ data: file(name, LARGE) });

async function until(holds: () => boolean): Promise<void> {
	for (let turns = 0; turns < 5000 && !holds(); turns++) await sleep(10);
}

/** Waits a while for what the system still has to do. */
async function expectClosed(opened: Array<{ closed: boolean }>, atLeast = 1): Promise<void> {
	expect(opened.length).toBeGreaterThanOrEqual(atLeast);
	const left = () => opened.filter(({ closed }) => !closed).length;
	await until(() => left() === 0);
	expect(left()).toBe(0);
}

describe('No file stays open after an upload', () => {
	test.each<[string, Rule]>([
		['that is done', {}],
		['that is refused before the bytes have come', { status: 403, afterBytes: 1000 }],
		['that is refused at once', { status: 400, afterBytes: 0 }],
		['whose connection is lost', { drop: 'beforeApplying', afterBytes: 1000 }],
		['that is not answered', { stall: true }],
		['that is read too slowly', { bytesPerSecond: 1000 }],
		['that is sent elsewhere', { status: 307, headers: { Location: 'https://example.com' } }],
	])('%s', async (_, rule) => {
		const opened = openedFiles();
		service().script({ ...rule, for: when, times: Infinity });
		const options = { maxAttempts: 1, timeoutSeconds: 1 };
		const parameters = { binaryPropertyName: 'data' };
		await upload([], { files: [large('a.txt')], options, parameters });
		await expectClosed(opened);
	});

	test('of a run that stops because of another item', async () => {
		const opened = openedFiles();
		service().script({ for: { ...when, fileName: 'b.txt' }, status: 400, afterBytes: 0 });
		await runFiles(service(), 'document.upload', {
			files: ['a.txt', 'b.txt', 'c.txt', 'd.txt'].map(large),
			options: { parallelRequests: 4 },
		});
		await expectClosed(opened, 2);
	});

	test.each([
		['while bytes are under way', { stall: true }],
		['while the upload host reads nothing', { latencyMs: 60_000, afterBytes: 1 }],
		['while the upload host reads slowly', { bytesPerSecond: 1000 }],
	])('of a run that is stopped by hand %s', async (_, rule) => {
		const opened = openedFiles();
		for (let run = 0; run < 3; run++) {
			service().reset();
			service().script({ ...rule, for: when, times: Infinity });
			const stop = until(() => service().uploads().length === 3);
			const files = ['a.txt', 'b.txt', 'c.txt'].map(large);
			const options = { parallelRequests: 3 };
			await runFiles(service(), 'document.upload', { ...continuing, files, stop, options });
		}
		await expectClosed(opened, 9);
	});

	test('of a run that is stopped by hand while n8n opens the file', async () => {
		let press = () => {};
		const stop = new Promise<void>((resolve) => {
			press = resolve;
		});
		const opened = openedFiles(async () => {
			press();
			await sleep(500);
		});
		await runFiles(service(), 'document.upload', { ...continuing, files: [large('a.txt')], stop });
		await expectClosed(opened);
		expect(service().uploads()).toEqual([]);
	});
});

describe('No file stays open after Sync Files has looked at it', () => {
	const { night } = freshFolder();

	test('nor where the run is stopped by hand meanwhile', async () => {
		const opened = openedFiles();
		const stop = until(() => opened.length > 0);
		await night({ 'a.txt': LARGE, 'b.txt': LARGE }, { stop });
		await expectClosed(opened);
		await night({ 'a.txt': LARGE, 'b.txt': LARGE });
		await expectClosed(opened, 4);
	});
});
