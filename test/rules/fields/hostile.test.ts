import fc from 'fast-check';

import { agentPicker, readSourceType } from '../../../nodes/CometChatKnowledgeBase/fields/fields';
import { FILE_IDS, readIds } from '../../../nodes/CometChatKnowledgeBase/fields/ids';
import { toResultSync, UserError } from '../../../nodes/CometChatKnowledgeBase/text/failure';
import { expectInWords } from '../expectRefused';

/** Only visible and complete characters. */
const SEEN = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u;
const { read: readUid } = agentPicker();

/** The readers of values that become a part of a URL. */
const PARTS: Array<[(value: unknown) => unknown, string]> = [
	[readUid, "'Agent'"],
	[(value) => readUid({ __rl: true, mode: 'id', value }), "'Agent'"],
	[readSourceType, "'Source Type'"],
];

/** Texts that could leave a URL or a header, hide something, or be markup. */
const SIGNS =
	'.／\\%；．/＼％…‥℀🙂,[{"&?#: \t\n\u0000\u001b\u0085\u00ad\u0301\u200b\u202e\u2028\ufdfa\ufeff';
const hostileText = fc
	.array(
		fc.constantFrom(
			...[...SIGNS, 'a', 'Z', '9', '..', '%2e', '%25', '\ud83d', '\ude42', '\u{e0041}'],
			...['\r\nX-Evil: 1', '<b>', '__proto__', '-1', '1e999'],
		),
		{ maxLength: 12 },
	)
	.map((pieces) => pieces.join(''));

const anything = fc.anything({
	values: [hostileText, fc.integer(), fc.double(), fc.constantFrom(undefined, null)],
	key: fc.oneof(hostileText, fc.constantFrom('id', 'uniqueId', 'uploadId', 'value', 'length')),
});

test('For any File IDs: visible IDs, or a message that names the field', () => {
	fc.assert(
		fc.property(fc.oneof(anything, hostileText, fc.array(hostileText)), (value) => {
			const found = toResultSync(() => readIds(value, FILE_IDS));
			if (found instanceof UserError) expectInWords(found, "'File IDs'");
			else for (const id of found) expect(id).toMatch(SEEN);
		}),
		{ numRuns: 1000, seed: 1 },
	);
});

test('For any agent or type: one part of a URL, or a message that names the field', () => {
	fc.assert(
		fc.property(fc.oneof(hostileText, anything), (value) => {
			for (const [read, label] of PARTS) {
				const found = toResultSync(() => read(value));
				if (found instanceof UserError) return expectInWords(found, label);
				expect(found).toMatch(SEEN);
				const { pathname } = new URL(`https://a.example/b/${encodeURIComponent(String(found))}`);
				expect(pathname.split('/')).toHaveLength(3);
				expect(decodeURIComponent(pathname)).toBe(`/b/${String(found)}`);
			}
		}),
		{ numRuns: 1000, seed: 1 },
	);
});
