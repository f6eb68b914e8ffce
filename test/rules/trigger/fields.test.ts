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
])('what is waited for is read %s', (_, events, filters, expected) => {
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
	'a filter that cannot be read lets nothing through, and nothing by mistake: %s',
	(_, events, filters, label) => {
		expectRefused(() => readEventFilter(events, filters), label);
	},
);
