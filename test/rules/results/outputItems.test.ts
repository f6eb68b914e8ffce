import type { Fields, ItemResult } from '../../../nodes/CometChatKnowledgeBase/results/itemResult';
import { unusable } from '../../../nodes/CometChatKnowledgeBase/results/itemResult';
import { outputItems } from '../../../nodes/CometChatKnowledgeBase/results/outputItems';
import { UserError } from '../../../nodes/CometChatKnowledgeBase/values/userError';

const done = (...json: Fields[]): ItemResult => ({
	kind: 'succeeded',
	json,
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
		'each has what there is to say of it, in the order of the vocabulary; what that lacks comes last',
		rows([NEW, done({ reason: 'kept', own: 'a', success: true, uid: 'bot', name: 'b' })]),
		[
			['action=added', 'success=true', 'status=indexed', 'uid=bot'],
			['name=b', 'success=true', 'uid=bot', 'reason=kept', 'own=a'],
		],
	],
	[
		'a failed one has what it asked for, and its error behind that',
		rows([failed({ uid: 'bot' }), NEW]),
		[
			['action=failed', 'success=false', 'uid=bot', 'error=…'],
			['action=added', 'success=true', 'status=indexed', 'uid=bot'],
		],
	],
	[
		'also those that no input item asked for',
		rows([NEW], [done({ uid: 'bot', action: 'removed' })]),
		[
			['action=added', 'success=true', 'status=indexed', 'uid=bot'],
			['action=removed', 'uid=bot'],
		],
	],
	[
		'what is undefined is no field; null says that CometChat does not tell',
		rows([done({ name: undefined, uid: 'bot', agents: null })]),
		[['uid=bot', 'agents=null']],
	],
	[
		'for an error output a failed one has its error alone, by which n8n knows it',
		rows([NEW, failed({ uid: 'bot' }), done({ uid: 'bot' })], [], true),
		[['action=added', 'success=true', 'status=indexed', 'uid=bot'], ['uid=bot'], ['error=…']],
	],
])('The items of a run: %s', (_, found, wanted) => {
	expect(found).toEqual(wanted);
});

test('Rows of which each has fields of its own take no time', () => {
	const odd = Array.from({ length: 20_000 }, (_, at) => ({ [`own${at}`]: at, uid: 'bot' }));
	const startedMs = performance.now();
	expect(Object.keys(outputItems([done(...odd)], [], false)[7]?.json ?? {})).toEqual([
		'uid',
		'own7',
	]);
	expect(performance.now() - startedMs).toBeLessThan(2000);
});

test('Each item says which input item it came of, if it came of one', () => {
	const found = outputItems([NEW, done({ uid: 'a' }, { uid: 'b' })], [NEW], false);
	expect(found.map(({ index }) => index)).toEqual([0, 1, 1, undefined]);
});

test('A failed file is named, whatever the item asked for', () => {
	const issue = new UserError('Wrong', 'Mend it.', { fileName: 'a.xlsx' });
	expect(outputItems([unusable(issue)], [], false)[0]?.json).toMatchObject({ name: 'a.xlsx' });
});
