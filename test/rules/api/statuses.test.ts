import { ApiError } from '../../../nodes/CometChatKnowledgeBase/http/apiError';
import type { ApiClient } from '../../../nodes/CometChatKnowledgeBase/api/apiClient';
import { knownStatuses } from '../../../nodes/CometChatKnowledgeBase/api/documents';
import { redacted } from '../redacted';
import { toResult, isFailure } from '../../../nodes/CometChatKnowledgeBase/text/failure';

const ids = (count: number, name = 'id') =>
	Array.from({ length: count }, (_, at) => `${name}${at}`);

function refusal(more: Partial<ApiError['more']>) {
	const sent = { attempts: 1, effect: 'not applied', stopReason: 'answered' } as const;
	return new ApiError('Refused', 'None', { detail: 'No.', ...sent, ...more });
}

const UNKNOWN = refusal({ status: 404, concernsOneDocument: true, unknown: 'document' });

/** The response to a request: the IDs with a status, or the error. */
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

async function ask(answering: Answering, of: string[]) {
	const { client, asked } = clientOf(answering);
	const statuses = await toResult(knownStatuses(client, of));
	if (isFailure(statuses)) return { failure: statuses, asked };
	const known = of.filter((id) => statuses.get(id) === 'indexing');
	const gone = of.filter((id) => statuses.get(id) === 'notFound');
	return { known, gone, asked };
}

test('a request contains a hundred IDs', async () => {
	const { known, asked } = await ask((all) => all, ids(10_000));
	expect(known).toEqual(ids(10_000));
	expect(asked).toHaveLength(100);
});

test('an ID that is not in the response is unknown', async () => {
	const found = await ask(leavingOut(['id1']), ids(3));
	expect(found).toMatchObject({ known: ['id0', 'id2'], gone: ['id1'] });
});

test('a request that is refused for some of its IDs is repeated for each ID, and then all statuses are known', async () => {
	const gone = ids(4);
	const found = await ask(refusing(gone), ids(200));
	expect(found.gone).toEqual(gone);
	expect(found.known).toHaveLength(196);
	expect(found.asked).toHaveLength(1 + 100 + 1);
});

test('after three IDs in a row with the refusal of the request, the others are not requested', async () => {
	const failure = refusal({ status: 404, concernsOneDocument: true });
	const found = await ask(() => failure, ids(100));
	expect(found.failure).toBe(failure);
	expect(found.asked).toHaveLength(1 + 3);
});

test('a refusal that concerns no document is not repeated', async () => {
	const failure = refusal({ status: 403 });
	const found = await ask(() => failure, ids(100));
	expect(found.failure).toBe(failure);
	expect(found.asked).toHaveLength(1);
});

test('known statuses are kept when another request fails', async () => {
	const failure = refusal({ status: 500 });
	const found = await ask((asked, number) => (number === 3 ? failure : asked), ids(300));
	expect(found).toMatchObject({ known: ids(200), gone: [] });
});
