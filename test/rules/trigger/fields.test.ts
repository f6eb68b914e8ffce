import { readEventFilter } from '../../../nodes/CometChatKnowledgeBase/trigger/fields';
import { expectRefused } from '../expectRefused';

test.each<[string, unknown, object, object]>([
	[
		'as the editor gives it',
		['indexingFailed'],
		{},
		{ events: ['indexingFailed'], sourceTypes: [] },
	],
	[
		'as a person would type it',
		'Indexing Finished, document added',
		{},
		{ events: ['documentAdded', 'indexingFinished'] },
	],
	[
		'all filters',
		['documentAdded'],
		{ sourceTypes: ['text-details'], nameContains: ' Price ', uid: { mode: 'id', value: 'bot' } },
		{ events: ['documentAdded'], sourceTypes: ['text'], nameContains: 'price', agent: 'bot' },
	],
])('the events and filters are read %s', (_, events, filters, expected) => {
	expect(readEventFilter(events, filters)).toMatchObject(expected);
});

test.each<[string, unknown, object, string]>([
	['no event', [], {}, "'Trigger On' is empty"],
	[
		'no list',
		{ event: 'documentAdded' },
		{},
		"'Trigger On' is empty, or its expression doesn't return a list",
	],
	['a type that there is not', ['documentAdded'], { sourceTypes: ['pdf'] }, "filter 'Source Type'"],
	['a name of which nothing came', ['documentAdded'], { nameContains: undefined }, 'Name Contains'],
	['an empty name', ['documentAdded'], { nameContains: ' ' }, "The filter 'Name Contains'"],
	['no agent', ['documentAdded'], { uid: { mode: 'list', value: '' } }, "'Agent' is empty"],
])(
	'an invalid filter is refused, so that no wrong event passes: %s',
	(_, events, filters, label) => {
		expectRefused(() => readEventFilter(events, filters), label);
	},
);
