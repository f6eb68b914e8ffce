import type { Fields, ItemResult } from '../../../nodes/CometChatKnowledgeBase/results/itemResult';
import { unusable } from '../../../nodes/CometChatKnowledgeBase/results/itemResult';
import { outputItems } from '../../../nodes/CometChatKnowledgeBase/results/outputItems';
import { UserError } from '../../../nodes/CometChatKnowledgeBase/values/userError';

const done = (...json: Fields[]): ItemResult => ({
	kind: 'succeeded',
	json,
	attempts: 1,
	isRepeated: false,
});

const failed = (requested: Fields): ItemResult =>
	unusable(new UserError('Wrong', 'Mend it.'), requested);

const rows = (results: ItemResult[], further: ItemResult[] = [], isRouted = false) =>
	outputItems(results, further, isRouted).map(({ json }) =>
		Object.entries(json).map(
			([name, value]) => `${name}=${name === 'error' && value ? '…' : String(value)}`,
		),
	);

const NEW = done({ action: 'added', status: 'indexed', success: true, uid: 'bot' });

test.each<[string, string[][], string[][]]>([
	[
		'all have the same fields, in the order of the vocabulary; what it does not have comes last',
		rows([NEW, done({ reason: 'kept', own: 'a', success: true, uid: 'bot', name: 'b' })]),
		[
			[
				...['name=null', 'action=added', 'success=true', 'status=indexed'],
				...['uid=bot', 'reason=null', 'own=null'],
			],
			[
				...['name=b', 'action=null', 'success=true', 'status=null'],
				...['uid=bot', 'reason=kept', 'own=a'],
			],
		],
	],
	[
		'a failed one has what it asked for, among the fields of the others, and its error behind that',
		rows([failed({ action: 'failed', uid: 'bot' }), NEW]),
		[
			['action=failed', 'success=false', 'status=null', 'uid=bot', 'error=…'],
			['action=added', 'success=true', 'status=indexed', 'uid=bot', 'error=null'],
		],
	],
	[
		'also those that no input item asked for',
		rows([NEW], [done({ action: 'removed', uid: 'bot' })]),
		[
			['action=added', 'success=true', 'status=indexed', 'uid=bot'],
			['action=removed', 'success=null', 'status=null', 'uid=bot'],
		],
	],
	[
		'what is undefined is no field',
		rows([done({ name: undefined, uid: 'bot' }), done({ uid: 'bot' })]),
		[['uid=bot'], ['uid=bot']],
	],
	[
		'for an error output a failed one has its error alone, by which n8n knows it',
		rows([NEW, failed({ uid: 'bot' }), done({ uid: 'bot' })], [], true),
		[
			['action=added', 'success=true', 'status=indexed', 'uid=bot'],
			['action=null', 'success=null', 'status=null', 'uid=bot'],
			['error=…'],
		],
	],
])('The items of a run: %s', (_, found, wanted) => {
	expect(found).toEqual(wanted);
});

test('Each item says which input item it came of, if it came of one', () => {
	const found = outputItems([NEW, done({ uid: 'a' }, { uid: 'b' })], [NEW], false);
	expect(found.map(({ index }) => index)).toEqual([0, 1, 1, undefined]);
});

test('A failed file is named, whatever the item asked for', () => {
	const issue = new UserError('Wrong', 'Mend it.', { fileName: 'a.xlsx' });
	expect(outputItems([unusable(issue)], [], false)[0]?.json).toMatchObject({ name: 'a.xlsx' });
});
