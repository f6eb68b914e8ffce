import { arrivals } from '../operations';
import { freshUploads, hinted } from './uploads';

const TEXTS: Record<string, string[]> = {
	'pictures first.pdf': [...Array<string>(9).fill(' '), 'Prices'],
	'cid.txt': ['A PDF without a character map shows (cid:12) where letters were.'],
	'chinese.txt': ['\u4EF7\u683C\u8868'],
	'arabic.txt': ['\u0627\u0644\u0623\u0633\u0639\u0627\u0631'],
	'one bad character.txt': ['Caf\uFFFD prices'],
	'table.txt': ['| 1 | 2 |'],
	'unreadable cid.pdf': ['(cid:12)(cid:13) (cid:14)'],
	'unreadable replaced.txt': ['\uFFFD\uFFFD\uFFFD a'],
	'unreadable private.pdf': ['\uE001\uE002\uE003'],
	'unreadable utf16.txt': ['P\0r\0i\0c\0e\0s\0'],
};
const texts = freshUploads({ pages: TEXTS });

describe('A document that is indexed and has no text', () => {
	const scan = freshUploads({ pages: { 'scan.pdf': [''], 'long.pdf': [' ', ''], 'a.txt': ['x'] } });
	const waits = { parameters: { waitUntilIndexed: true } };

	test('is a warning and the reason of its item, which succeeds, with one request', async () => {
		const run = await scan.upload(['scan.pdf', 'long.pdf', 'a.txt'], waits);
		const reason = expect.stringMatching(
			/^CometChat indexed "scan.pdf" and found no text in it\. If the file is a scan, agents can't/,
		);
		const first = expect.stringMatching(/"long.pdf" and found no text in it/);
		expect(run.output.map(({ json }) => json)).toMatchObject([
			{ success: true, reason },
			{ success: true, reason: first },
			{ success: true },
		]);
		expect(hinted(run)).toContain('"scan.pdf" and found no text');
		const looks = arrivals(scan.service()).filter((line) => line.startsWith('pages'));
		expect(looks).toHaveLength(3);
	});

	test.each(Object.keys(TEXTS))('is warned of, and no other document: %s', async (name) => {
		const { output } = await texts.upload([name], waits);
		const isWarned = String(output[0]?.json.reason).includes('found no text');
		expect(isWarned).toBe(name.startsWith('unreadable'));
	});

	test('is no warning if CometChat does not report it, and needs no request without a wait', async () => {
		scan.service().script({ for: { operation: 'pages' }, status: 500, times: Infinity });
		const { output } = await scan.upload(['scan.pdf'], waits);
		expect(output[0]?.json).toMatchObject({ success: true });
		expect(output[0]?.json.reason ?? null).toBeNull();
		scan.service().clearLog();
		await scan.upload(['scan.pdf']);
		expect(arrivals(scan.service()).join()).not.toContain('pages');
	});
});
