import fc from 'fast-check';

import { bytesIn, isInPieces } from '../../../nodes/CometChatKnowledgeBase/input/binary';

test('The size of a file that n8n keeps in memory is told without decoding it, however it is written', () => {
	const digit = fc.constantFrom(...'ABCxyz019+/-_');
	const other = fc.constantFrom('\n', '\r\n', ' ', '=', '==', '.', '(', '\u00e9');
	const part = fc.oneof({ weight: 5, arbitrary: digit }, { weight: 1, arbitrary: other });
	fc.assert(
		fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
			const base64 = parts.join('');
			expect(bytesIn(base64)).toBe(Buffer.from(base64, 'base64').length);
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	['filesystem:abc', true],
	['filesystem-v2:workflows/1/executions/2/binary_data/abc', true],
	['s3:workflows/1/executions/2/binary_data/abc', true],
	['database:abc', false],
	['memory:s3', false],
])('whether n8n reads a file piece by piece is told by its ID: %s', (id, expected) => {
	expect(isInPieces(id)).toBe(expected);
});
