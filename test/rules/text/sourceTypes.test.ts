import { findSourceType } from '../../../nodes/CometChatKnowledgeBase/text/sourceTypes';

test.each([
	['text-details', 'text'],
	['website', 'website'],
	['knowledge-base', undefined],
	[undefined, undefined],
])('the source type of %s is %s', (value, expected) => {
	expect(findSourceType(value)).toBe(expected);
});
