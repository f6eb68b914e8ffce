import type { Rule } from '../../service/service';
import { file } from '../operations';
import { freshUploads, itemEach } from './uploads';

const { service, upload, uploaded } = freshUploads();

/** The most requests that were under way at once, at one of the hosts or at both. */
function mostAtOnce(...hosts: string[]): number {
	const underWay = new Set<number>();
	let most = 0;
	for (const { host, kind, request } of service().log) {
		if (!hosts.includes(host)) continue;
		if (kind === 'arrived') underWay.add(request);
		else underWay.delete(request);
		most = Math.max(most, underWay.size);
	}
	return most;
}

const slow: Rule = { for: { operation: 'upload' }, latencyMs: 1000, times: Infinity };

describe('At the upload host', () => {
	test.each([
		{ parallelRequests: 1, uploads: 1, both: 1 },
		{ parallelRequests: 2, uploads: 10, both: 12 },
		{ parallelRequests: 3, uploads: 15, both: 18 },
	])('five times as many are at work as requests, %j', async ({ parallelRequests, ...most }) => {
		service().script(slow);
		const names = Array.from({ length: 20 }, (_, at) => `${at}.txt`);
		const options = { parallelRequests };
		const { output } = await upload([], { files: itemEach(names), options });
		expect(output.map(({ json }) => json.uploads)).toEqual(
			names.map((fileName) => [expect.objectContaining({ fileName })]),
		);
		expect(mostAtOnce('uploads')).toBe(most.uploads);
		expect(mostAtOnce('api')).toBeLessThanOrEqual(parallelRequests);
		expect(mostAtOnce('api', 'uploads')).toBeLessThanOrEqual(most.both);
	});

	test('no address is asked for long before its turn', async () => {
		service().script(slow);
		const names = Array.from({ length: 20 }, (_, at) => `${at}.txt`);
		await upload([], { files: itemEach(names), options: { parallelRequests: 2 } });
		let waiting = 0;
		for (const { kind, operation } of service().log) {
			if (kind === 'answered' && operation === 'initiate') waiting += 1;
			if (kind === 'answered' && operation === 'upload') waiting -= 1;
			expect(waiting).toBeLessThanOrEqual(10);
		}
		expect(uploaded()).toHaveLength(20);
	});

	test.each([
		['on disk' as const, 3],
		['in memory' as const, 2],
	])('of files that n8n keeps %s, of which three come to 102 MB, %i are', async (kept, most) => {
		service().script({ ...slow, afterBytes: 0, status: 400 });
		const bytes = new Uint8Array(34_000_000);
		const files = ['a.pdf', 'b.pdf', 'c.pdf'].map((fileName) => ({
			file_0: { ...file(fileName), bytes, kept },
		}));
		await upload([], { files });
		expect(uploaded()).toHaveLength(3);
		expect(mostAtOnce('uploads')).toBe(most);
	});
});
