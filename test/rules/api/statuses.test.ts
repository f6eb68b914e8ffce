import { ApiError } from '../../../nodes/CometChatKnowledgeBase/http/apiError';
import type { ApiClient } from '../../../nodes/CometChatKnowledgeBase/api/apiClient';
import { askStatuses } from '../../../nodes/CometChatKnowledgeBase/api/documents';
import { redacted } from '../redacted';
import { toResult, isFailure } from '../../../nodes/CometChatKnowledgeBase/text/failure';

const ids = (count: number, name = 'id') =>
	Array.from({ length: count }, (_, at) => `${name}${at}`);

function refusal(
	more: Partial<ApiError['more']>,
	stopReason: 'answered' | 'cancelled' = 'answered',
) {
	const sent = { attempts: 1, effect: 'not applied', stopReason } as const;
	return new ApiError('Refused', 'None', { detail: 'No.', ...sent, ...more });
}

const UNKNOWN = refusal({ status: 404, concernsOneDocument: true });

/** What becomes of one question: the IDs that it is answered for, or why it is not. */
type Answering = (asked: string[], number: number) => string[] | ApiError;

function clientOf(answering: Answering) {
	const asked: string[][] = [];
	const client: ApiClient = {
		call: async ({ body }, read) => {
			const question: string[] = Object(body).uniqueId;
			asked.push(question);
			const answer = answering(question, asked.length);
			if (answer instanceof ApiError) throw answer;
			const data = Object.fromEntries(answer.map((id) => [id, 'indexing']));
			const value = read(redacted({ data }));
			if (value === undefined) throw UNKNOWN;
			return value;
		},
	};
	return { client, asked };
}

const leavingOut = (gone: string[]) => (asked: string[]) =>
	asked.filter((id) => !gone.includes(id));
const refusing = (gone: string[]) => (asked: string[]) =>
	asked.some((id) => gone.includes(id)) ? UNKNOWN : asked;

async function ask(answering: Answering, of: string[], there?: string) {
	const { client, asked } = clientOf(answering);
	const statuses = await toResult(askStatuses(client, of, { there }));
	if (isFailure(statuses)) return { failure: statuses, asked };
	const known = of.filter((id) => statuses.get(id) === 'indexing');
	const gone = of.filter((id) => statuses.get(id) === 'notFound');
	return { known, gone, asked };
}

test('a hundred are asked for at once, with one that there is at the end', async () => {
	const { known, asked } = await ask((all) => all, ids(10_000), 'there');
	expect(known).toEqual(ids(10_000));
	expect(asked).toHaveLength(100);
	expect(asked.every((all) => all.length === 101 && all.at(-1) === 'there')).toBe(true);
});

test.each<[string, number, string[], number]>([
	['one of 1,000', 1000, ['id555'], 10 + 14],
	['five of 1,000', 1000, ids(1000).filter((_, at) => at % 200 === 0), 10 + 1 + 5 * 14],
])(
	'a refused question costs a logarithm, and all is known then: %s',
	async (_, count, gone, most) => {
		const found = await ask(refusing(gone), ids(count), 'there');
		expect(found.gone).toEqual(gone);
		expect(found.known).toHaveLength(count - gone.length);
		expect(found.asked.length).toBeLessThanOrEqual(most);
	},
);

test('of many unknown ones five are found; what is not settled is neither gone nor known', async () => {
	const gone = ids(1000).filter((_, at) => at % 2 === 0);
	const found = await ask(refusing(gone), ids(1000), 'there');
	expect(found.gone).toHaveLength(5);
	expect(gone).toEqual(expect.arrayContaining(found.gone ?? []));
	expect(found.known?.filter((id) => gone.includes(id))).toEqual([]);
	expect(found.asked.length).toBeLessThanOrEqual(10 + 1 + 5 * 9);
});

test.each<[string, ApiError]>([
	['another status', refusal({ status: 400, concernsOneDocument: true })],
	['a 404 that is about the address', refusal({ status: 404 })],
])('only a 404 about a document is halved: not %s', async (_, failure) => {
	const found = await ask(() => failure, ids(100), 'there');
	expect(found.failure).toBe(failure);
	expect(found.asked).toHaveLength(1);
});

test('one is asked for alone before it counts as refused', async () => {
	const byMistake = await ask((asked, number) => (number === 1 ? UNKNOWN : asked), ids(2), 'there');
	expect(byMistake).toMatchObject({ known: ids(2), gone: [] });
	const found = await ask(refusing(['id3']), ids(4), 'there');
	expect(found).toMatchObject({ known: ids(3), gone: ['id3'] });
	expect(found.asked).toEqual([
		[...ids(4), 'there'],
		['there'],
		['id0', 'id1', 'there'],
		['id2', 'id3', 'there'],
		['id2', 'there'],
		['id3', 'there'],
	]);
});

test('a service that refuses every question says nothing of any document', async () => {
	const found = await ask(() => UNKNOWN, ids(1000), 'there');
	expect(found.failure).toBe(UNKNOWN);
	expect(found.asked).toHaveLength(2);
	// Without one that there is, nobody can tell.
	expect(await ask(() => UNKNOWN, ids(3))).toMatchObject({ known: [], gone: [] });
});

test.each<[string, Answering, string[], string[]]>([
	['one that is gone', leavingOut(['id1']), ['id0', 'id2'], ['id1']],
	['all, with one that there is beside them', leavingOut(ids(3)), [], ids(3)],
	['all, because the answer is empty', () => [], [], []],
	['all behind the first, since the answer is cut', ([first = '']) => [first], ['id0'], []],
])(
	'what is left out counts as gone once it is so beside one that there is: %s',
	async (_, answering, known, gone) => {
		expect(await ask(answering, ids(3), 'there')).toMatchObject({ known, gone });
	},
);

test('what was learned is kept when a question fails after others have been answered', async () => {
	const failure = refusal({ status: 500 });
	const found = await ask((asked, number) => (number === 3 ? failure : asked), ids(500));
	expect(found.known).toEqual(ids(200));
	expect(found.asked).toHaveLength(3);
});

test('where the time is up before the first answer, nothing is known, and nothing has failed', async () => {
	const over = refusal({ isCancelled: true }, 'cancelled');
	expect(await ask(() => over, ids(3), 'there')).toEqual({
		...{ known: [], gone: [] },
		asked: [[...ids(3), 'there']],
	});
});
