import { sizeWords } from '../../../nodes/CometChatKnowledgeBase/values/sizes';

test.each([
	[0, '0 bytes'],
	[999, '999 bytes'],
	[1000, '1.0 KB'],
	[999_949, '999.9 KB'],
	[999_950, '1.0 MB'],
	[61_300_000, '61.3 MB'],
	[5e18, '5000000.0 TB'],
])('%d bytes are %s', (bytes, words) => {
	expect(sizeWords(bytes)).toBe(words);
});
