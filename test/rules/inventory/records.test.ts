import { readAccount } from '../../../nodes/CometChatKnowledgeBase/account/account';
import { ItemContext } from '../../../nodes/CometChatKnowledgeBase/execution/itemContext';
import { RecordList } from '../../../nodes/CometChatKnowledgeBase/inventory/records';
import { RateLimiter } from '../../../nodes/CometChatKnowledgeBase/requests/rateLimiter';
import { PATIENCE } from '../../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import { clockUntil } from '../../../nodes/CometChatKnowledgeBase/requests/time';
import { caught } from '../../../nodes/CometChatKnowledgeBase/values/failure';

const account = readAccount({ region: 'us', appId: 'app', apiKey: 'a'.repeat(40) });
const data = [{ uniqueId: 'prices', type: 'uploads', sourceName: 'prices.pdf' }];

/** Two items of a run that another item's failure has ended. */
function itemsOfEndedRun() {
	const run = {
		account,
		rateLimiter: new RateLimiter(),
		limits: { ...PATIENCE, timeoutMs: 1000 },
		clock: clockUntil(AbortSignal.abort()),
		userClock: clockUntil(new AbortController().signal),
		send: async () =>
			await Promise.resolve({
				kind: 'response',
				status: 200,
				headers: {},
				body: { data },
			} as const),
	};
	const [ends, goesOn] = [new ItemContext(run), new ItemContext(run)];
	goesOn.mustComplete = true;
	return { ends, goesOn };
}

describe('In a run that ends, the list of records', () => {
	test('is not read for an item that ends with it, and is for one that goes to its end', async () => {
		const { ends, goesOn } = itemsOfEndedRun();
		const list = new RecordList();
		const both = [ends, goesOn].map(async (item) => await caught(list.whole(item)));
		expect(await Promise.all(both)).toMatchObject([
			{ more: { stopReason: 'cancelled' } },
			{ count: 1 },
		]);
	});
});
