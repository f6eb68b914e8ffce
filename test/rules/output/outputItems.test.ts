import type { Fields, ItemResult } from '../../../nodes/CometChatKnowledgeBase/output/itemResult';
import { unusable } from '../../../nodes/CometChatKnowledgeBase/output/itemResult';
import { outputItems } from '../../../nodes/CometChatKnowledgeBase/output/outputItems';
import { UserError } from '../../../nodes/CometChatKnowledgeBase/text/failure';

const done = (...json: Fields[]): ItemResult => ({
	kind: 'succeeded',
	json,
});

const failed = (requested: Fields): ItemResult =>
	unusable(new UserError('Wrong', 'Mend it.'), requested);

const never = async () => {};

const rows = async (
	itemResults: ItemResult[],
	furtherResults: ItemResult[] = [],
	isRouted = false,
) =>
	(await outputItems({ itemResults, furtherResults }, isRouted, never)).map(({ json }) =>
		Object.entries(json).map(
			([name, value]) => `${name}=${name === 'error' && value ? '…' : String(value)}`,
		),
	);

const NEW = done({ action: 'added', status: 'indexed', success: true, uid: 'bot' });

test.each<[string, Promise<string[][]>, string[][]]>([
	[
		'each has what there is to say of it, in the order of the vocabulary; what that lacks comes last',
		rows([NEW, done({ reason: 'kept', own: 'a', success: true, uid: 'bot', name: 'b' })]),
		[
			['action=added', 'success=true', 'status=indexed', 'uid=bot'],
			['name=b', 'success=true', 'reason=kept', 'uid=bot', 'own=a'],
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
])('The items of an execution: %s', async (_, found, wanted) => {
	expect(await found).toEqual(wanted);
});

test('Next to an error, `status` is only the status of the response, and undefined values are no fields', async () => {
	const itemResults = [failed({ status: 'failed', uid: 'bot', name: undefined })];
	const [row] = await outputItems({ itemResults }, false, never);
	const details = { effect: 'not applied', item: 0, uid: 'bot', attempts: 0 };
	expect(Object(row?.json.error).details).toStrictEqual(details);
	expect(row?.json).toMatchObject({ status: 'failed' });
});

test('To sort the fields of many different rows, each field is read a few times, and n8n can do other work after every 100 rows', async () => {
	const lookedAt = async (count: number) => {
		let looks = 0;
		let pauses = 0;
		const odd = Array.from({ length: count }, (_, at): Fields => {
			const row = Object.fromEntries([...Array(20).keys()].map((own) => [`own${at}-${own}`, own]));
			return new Proxy(row, {
				get: (target, name) => {
					looks += 1;
					return Reflect.get(target, name);
				},
			});
		});
		await outputItems({ itemResults: [done(...odd)] }, false, async () => {
			pauses += 1;
		});
		return { looks: looks / count, pauses };
	};
	const few = await lookedAt(10);
	expect(await lookedAt(1000)).toEqual({ looks: few.looks, pauses: 10 });
});

test("A field that would change the row's prototype is left out", async () => {
	expect(await rows([done(JSON.parse('{"__proto__":{"a":1},"uid":"bot"}'))])).toEqual([
		['uid=bot'],
	]);
});

test('Each item names its input item, if it has one', async () => {
	const itemResults = [NEW, done({ uid: 'a' }, { uid: 'b' })];
	const found = await outputItems({ itemResults, furtherResults: [NEW] }, false, never);
	expect(found.map(({ index }) => index)).toEqual([0, 1, 1, []]);
});

test("A failed file is named, whatever the item's own values are", async () => {
	const issue = new UserError('Wrong', 'Mend it.', { fileName: 'a.xlsx' });
	const [found] = await outputItems({ itemResults: [unusable(issue)] }, false, never);
	expect(found?.json).toMatchObject({ name: 'a.xlsx' });
});
