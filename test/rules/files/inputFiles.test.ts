import { isInPieces } from '../../../nodes/CometChatKnowledgeBase/files/inputFiles';

test.each([
	['filesystem:abc', true],
	['filesystem-v2:workflows/1/executions/2/binary_data/abc', true],
	['s3:workflows/1/executions/2/binary_data/abc', true],
	['database:abc', false],
	['memory:s3', false],
])('whether n8n reads a file piece by piece is told by its ID: %s', (id, expected) => {
	expect(isInPieces(id)).toBe(expected);
});
