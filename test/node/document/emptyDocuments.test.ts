import { arrivals } from '../operations';
import { freshUploads, hinted } from './uploads';

describe('A document that is indexed and has no text in it', () => {
	const scan = freshUploads({ pages: { 'scan.pdf': [''], 'long.pdf': [' ', ''], 'a.txt': ['x'] } });
	const waits = { parameters: { waitUntilIndexed: true } };

	test('is warned of, the item has it as its reason, and it succeeds; it takes one question', async () => {
		const run = await scan.upload(['scan.pdf', 'long.pdf', 'a.txt'], waits);
		const reason = expect.stringMatching(
			/^CometChat indexed "scan.pdf" and found no text in it\. If the file is a scan, agents can't/,
		);
		const first = expect.stringMatching(/"long.pdf" and found no text on the first of its 2 pages/);
		expect(run.output.map(({ json }) => json)).toMatchObject([
			{ success: true, reason },
			{ success: true, reason: first },
			{ success: true },
		]);
		expect(hinted(run)).toContain('"scan.pdf" and found no text');
		const looks = arrivals(scan.service()).filter((line) => line.startsWith('pages'));
		expect(looks).toHaveLength(3);
	});

	test('is none where CometChat does not tell, and nobody asks where nobody has waited', async () => {
		scan.service().script({ for: { operation: 'pages' }, status: 500, times: Infinity });
		const { output } = await scan.upload(['scan.pdf'], waits);
		expect(output[0]?.json).toMatchObject({ success: true });
		expect(output[0]?.json.reason ?? null).toBeNull();
		scan.service().clearLog();
		await scan.upload(['scan.pdf']);
		expect(arrivals(scan.service()).join()).not.toContain('pages');
	});
});
