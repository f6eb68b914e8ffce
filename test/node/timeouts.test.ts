import { sleep } from 'n8n-workflow';

import { CometChatKnowledgeBase } from '../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBase.node';
import { RequestTimeouts } from '../../nodes/CometChatKnowledgeBase/requests/requestTimeout';
import { listContext } from './engine';
import { add, credentialFor, freshService } from './fixture';
import { errorOf, file, runFiles } from './uploaded';

const service = freshService({ records: 1 });
const item = (agent: string, id: string) => ({ agent, files: [id] });
/** A byte far more often than any timeout, so that the client does not take it for silence. */
const drip = { dripMs: 50 };
const options = { timeoutSeconds: 1, maxWaitSeconds: 0 };
const kinds = () => service().log.map(({ kind }) => kind);

/** The stand-in has noticed the end of every request. */
async function ended(): Promise<void> {
	while (kinds().filter((kind) => kind === 'arrived').length * 2 > kinds().length) await sleep(1);
}

describe('A request that takes longer than Timeout', () => {
	test.each([
		['without an answer', { latencyMs: 5000 }],
		['with an answer that never comes', { stall: true }],
		['with an answer that drips', drip],
	])('%s is closed before it is sent again', async (_, rule) => {
		service().script(rule);
		const { output } = await add(service(), [item('support-bot', 'a')], { options });
		expect(kinds()).toEqual(['arrived', 'aborted', 'arrived', 'answered']);
		expect(output[0]?.json.success).toBe(true);
	});

	test('counts as under way until it is closed: for Parallel Requests, and for its agent', async () => {
		service().script({ ...drip, times: Infinity });
		const items = [
			item('support-bot', 'a'),
			item('sales-assistant', 'b'),
			item('onboarding-guide', 'c'),
			item('support-bot', 'd'),
		];
		await add(service(), items, {
			options: { ...options, parallelRequests: 2, maxAttempts: 1 },
			onError: 'continueRegularOutput',
		});
		await ended();
		expect(kinds().filter((kind) => kind === 'aborted')).toHaveLength(4);
		expect(service().maxInFlight()).toBe(2);
		expect(service().maxInFlight('support-bot')).toBe(1);
	});

	test('is closed at an upload address, too', async () => {
		service().script({ for: { operation: 'upload' }, ...drip, times: Infinity });
		const run = await runFiles(service(), 'upload', {
			onError: 'continueRegularOutput',
			files: [{ data: file('a.txt') }],
			options: { ...options, maxAttempts: 1 },
		});
		await ended();
		const takenAway = ['arrived', 'answered'];
		expect(kinds()).toEqual(['arrived', 'answered', 'arrived', 'aborted', ...takenAway]);
		expect(errorOf(run)).toMatchObject({
			message: 'The connection was lost while "a.txt" was uploaded [item 0]',
			code: 'ECONNABORTED',
			effect: 'not applied',
		});
	});
});

test('an upload that moves is not closed for its size: it has a second more for each 64 KB', async () => {
	service().script({ for: { operation: 'upload' }, bytesPerSecond: 100_000 });
	const bytes = new Uint8Array(150_000).fill(7);
	const { output } = await runFiles(service(), 'upload', {
		files: [{ data: { fileName: 'a.txt', bytes } }],
		options: { ...options, maxAttempts: 1 },
	});
	expect(output[0]?.json.success).toBe(true);
});

describe('In the editor', () => {
	const { methods } = new CometChatKnowledgeBase();

	afterEach(() => jest.restoreAllMocks());

	test.each<[string, () => Promise<unknown>]>([
		[
			'agents',
			async () => {
				const context = await listContext(credentialFor(service()));
				return await methods.listSearch.searchAgents.call(context);
			},
		],
		[
			'files',
			async () => {
				const context = await listContext(credentialFor(service()), 'pickedFiles', {
					operation: 'add',
				});
				return await methods.loadOptions.getFiles.call(context);
			},
		],
	])('a list of %s that drips is closed after 30 s, with words', async (_, list) => {
		const asked = hurry();
		service().script(drip);
		await expect(list()).rejects.toMatchObject({
			message: 'CometChat did not answer in time',
		});
		expect(asked).toEqual([30_000]);
		await ended();
		expect(kinds()).toEqual(['arrived', 'aborted']);
	});
});

/** Lets no request take longer than a moment. @returns How long they were to be allowed, in ms. */
function hurry(): number[] {
	const asked: number[] = [];
	const run = Reflect.get(RequestTimeouts.prototype, 'run');
	jest.spyOn(RequestTimeouts.prototype, 'run').mockImplementation(async function (
		this: RequestTimeouts,
		timeoutMs,
		send,
	) {
		asked.push(timeoutMs);
		return await run.call(this, 300, send);
	});
	return asked;
}
