import { sleep } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import { arrivals, errorOf } from '../operations';
import { freshUploads, itemEach, named, TO_AGENT } from './uploads';

const { service, upload, uploaded, names, ids, attached } = freshUploads();
const when = { operation: 'upload' as const };
const takingAway = { operation: 'deleteUpload' as const };
const page = '<html><title>Sign in to this network</title></html>';

describe('Bytes that did not arrive', () => {
	test.each<[string, Rule, string, string, object]>([
		[
			'are refused',
			{ status: 400 },
			'The upload address did not take "a.txt"',
			'The upload address answered with status 400. Not uploaded: "a.txt". Upload it again. If it stays like this, ask CometChat.',
			{ status: 400, attempts: 1 },
		],
		[
			'meet a host that stays busy',
			{ status: 503, times: Infinity },
			'The upload address did not take "a.txt"',
			'The upload address answered with status 503. Not uploaded: "a.txt". Upload it again later. If it stays like this, ask CometChat.',
			{ status: 503, attempts: 2 },
		],
		[
			'are answered by a web page with status 200',
			{ status: 200, body: page, contentType: 'text/html', times: Infinity },
			'The upload address did not confirm that "a.txt" arrived',
			'The upload address answered with status 200 and a page that no storage sends. Not uploaded: "a.txt". Upload it again. If it stays like this, ask CometChat.',
			{ status: 200, attempts: 1 },
		],
		[
			'lose the connection again and again',
			{ drop: 'beforeApplying', times: Infinity },
			'The connection was lost while "a.txt" was uploaded',
			`No answer came from the upload address (ECONNRESET). Not uploaded: "a.txt". Upload it again. Check that this n8n reaches the internet. 'Request Timeout (Seconds)' under Options gives it longer.`,
			{ code: 'ECONNRESET', attempts: 2 },
		],
		[
			'get no answer',
			{ stall: true, times: Infinity },
			'The connection was lost while "a.txt" was uploaded',
			`Not uploaded: "a.txt". Upload it again. Check that this n8n reaches the internet. 'Request Timeout (Seconds)' under Options gives it longer.`,
			{ attempts: 2 },
		],
	])('and %s leave no entry behind: surely not uploaded', async (_, rule, what, said, more) => {
		service().script({ ...rule, for: when });
		const run = await upload(['a.txt'], { options: { maxAttempts: 2, timeoutSeconds: 1 } });
		expect(errorOf(run)).toMatchObject({
			message: `${what} [item 0]`,
			description: expect.stringContaining(said),
			effect: 'not applied',
			...more,
		});
		expect(errorOf(run)).not.toHaveProperty('unfinished');
		expect(names()).toEqual([]);
	});

	test.each<[string, Rule, object | undefined]>([
		['met a busy host', { status: 503 }, { cause: 'temporarily-unavailable' }],
		['were refused', { status: 400 }, undefined],
		['lost the connection', { drop: 'beforeApplying' }, { cause: 'temporarily-unavailable' }],
	])('and %s tell n8n whether it is worth another try', async (_, rule, failure) => {
		service().script({ ...rule, for: when });
		const { error } = await upload(['a.txt'], {
			onError: 'stopWorkflow',
			options: { maxAttempts: 1 },
		});
		expect(error).toMatchObject({ name: 'NodeApiError', failure });
	});

	test('because the user stopped the run are not said to have lost the connection', async () => {
		service().script({ for: when, latencyMs: 60_000 });
		const stop = (async () => {
			while (uploaded().length === 0) await sleep(5);
		})();
		expect(errorOf(await upload(['a.txt'], { stop }))).toMatchObject({
			message: 'The run stopped before "a.txt" was uploaded [item 0]',
			description: expect.stringContaining('Not uploaded, as far as is known: "a.txt". '),
		});
	});

	test('have their entries taken away, also those of the files after them, and the words name what is there', async () => {
		service().script({ for: { ...when, fileName: 'b.txt' }, status: 400 });
		const run = await upload(['a.txt', 'b.txt', 'c.txt'], { parameters: TO_AGENT });
		const [a] = ids();
		expect(uploaded()).toEqual(['a.txt', 'b.txt']);
		expect(names()).toEqual(['a.txt']);
		expect(attached()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			description: `The upload address answered with status 400. Uploaded: "a.txt" (ID ${a}). Not uploaded: "b.txt", "c.txt". To go on, upload only those that are missing; for the others, use these IDs in Document: Get Status and Add Files: uploading them again would make a second copy. If it stays like this, ask CometChat.`,
			effect: 'partly applied',
			uniqueIds: [a],
			uploads: [{ uniqueId: a, fileName: 'a.txt' }],
			addedToAgent: false,
		});
	});

	test.each<[string, Rule]>([
		['is refused', { status: 400 }],
		['is not answered', { drop: 'beforeApplying' }],
	])('are named with their entries if taking those away %s', async (_, rule) => {
		service().script({ for: { ...when, fileName: 'b.txt' }, status: 400 });
		service().script({ ...rule, for: takingAway, times: Infinity });
		const run = await upload(['b.txt', 'c.txt']);
		const [b, c] = ids();
		// One try each: whoever waits for this item waits for it, too.
		expect(arrivals(service()).slice(2)).toEqual([`deleteUpload ${b}`, `deleteUpload ${c}`]);
		expect(errorOf(run)).toMatchObject({
			effect: 'not applied',
			description: expect.stringContaining(
				`CometChat may show entries without content: "b.txt" (ID ${b}), "c.txt" (ID ${c}). Delete them with Document: Delete.`,
			),
			unfinished: [
				{ uniqueId: b, fileName: 'b.txt' },
				{ uniqueId: c, fileName: 'c.txt' },
			],
		});
	});

	test('may be there if they were not answered and their entry cannot be taken away', async () => {
		service().script({ for: when, drop: 'afterApplying' }, { for: takingAway, status: 503 });
		const run = await upload(['a.txt'], { options: { maxAttempts: 1 } });
		expect(errorOf(run)).toMatchObject({
			effect: 'unknown',
			description: expect.stringContaining('Not uploaded, as far as is known: "a.txt". '),
		});
	});

	test('have no entry left if CometChat does not know it when it is taken away', async () => {
		const gone = { status: 404, code: 'ERR_KB_NOT_FOUND', envelope: 'gateway' as const };
		service().script({ for: when, status: 400 }, { ...gone, for: takingAway });
		expect(errorOf(await upload(['a.txt']))).not.toHaveProperty('unfinished');
	});

	test('beside others that did, at an address asked for anew, are named in the output', async () => {
		service().script({ for: when, status: 403 }, { for: takingAway, status: 400 });
		const { output } = await upload(['a.txt']);
		const [left, there] = ids();
		expect(output[0]?.json).toMatchObject({
			success: true,
			uniqueIds: [there],
			unfinished: [{ uniqueId: left, fileName: 'a.txt' }],
		});
	});

	test('end a run that is set to stop before others begin while their entries are taken away', async () => {
		service().script({ for: { ...when, fileName: 'bad.txt' }, status: 400, latencyMs: 10_000 });
		service().script({ for: takingAway, latencyMs: 10_000 });
		service().script({ for: when, latencyMs: 12_000, times: Infinity });
		// With two requests at once, ten may be at the upload host.
		const good = Array.from({ length: 9 }, (_, at) => `good-${at}.txt`);
		await upload([], {
			onError: 'stopWorkflow',
			options: { parallelRequests: 2 },
			files: itemEach(['bad.txt', ...good, 'late.txt']),
		});
		expect(names()).toEqual(good);
	});

	test('end a run that is set to stop also while others keep all requests that may be under way', async () => {
		service().script({ for: { ...when, fileName: 'first.txt' }, latencyMs: 2_000 });
		service().script({ for: { ...when, fileName: 'bad.txt' }, status: 400, latencyMs: 5_000 });
		for (const fileName of ['c.txt', 'd.txt']) {
			service().script({ for: { operation: 'initiate', fileName }, latencyMs: 20_000 });
		}
		await upload([], {
			onError: 'stopWorkflow',
			options: { parallelRequests: 2 },
			files: [named('first.txt', 'second.txt'), ...itemEach(['bad.txt', 'c.txt', 'd.txt'])],
		});
		expect(uploaded()).toEqual(['first.txt', 'bad.txt']);
	});

	test('because another item ended the run have their entries taken away all the same', async () => {
		service().script({ for: { ...when, fileName: 'first.txt' }, latencyMs: 10_000 });
		service().script({ for: { ...when, fileName: 'bad.txt' }, status: 400, latencyMs: 2_000 });
		const { error } = await upload([], {
			onError: 'stopWorkflow',
			files: [named('first.txt', 'second.txt'), named('bad.txt')],
		});
		expect(uploaded()).not.toContain('second.txt');
		expect(names()).toEqual(['first.txt']);
		expect(error?.message).toContain('[item 1] (0 of 2 items applied, 2 failed, 0 not sent)');
	});
});

describe('Without an address', () => {
	test('nothing is uploaded, and the words name no field that the operation does not have', async () => {
		service().script({ for: { operation: 'initiate' }, status: 400, message: 'No room.' });
		const run = await upload(['a.txt']);
		expect(service().uploads()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat refused the request [item 0]',
			description:
				'CometChat answered with status 400 (ERR_BAD_REQUEST): No room. Not uploaded: "a.txt". Check what this item gives against what CometChat says above.',
			effect: 'not applied',
		});
	});

	test.each<[string, Rule]>([
		['the connection was lost', { drop: 'afterApplying' }],
		['CometChat broke', { status: 500 }],
		['the answer was another', { body: '{}' }],
		['the answer was cut', { truncated: true }],
	])('because %s, an entry may be there, and the words say so', async (_, rule) => {
		service().script({ ...rule, for: { operation: 'initiate' }, times: Infinity });
		const run = await upload(['a.txt'], { options: { maxAttempts: 2 } });
		expect(service().uploads()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			effect: 'unknown',
			description: expect.stringContaining(
				'Not uploaded: "a.txt". It is not known whether CometChat made an entry for it. Such an entry has no content, and no agent has it.',
			),
		});
	});
});

describe('An item that failed is told either to run again or how to go on:', () => {
	const late = { status: 429, retryAfter: '999' };
	const lost = { drop: 'beforeApplying' as const };

	test.each<[string, Rule, boolean]>([
		['asking for addresses is lost', { for: { operation: 'initiate' }, ...lost }, false],
		['asking for addresses comes too soon', { for: { operation: 'initiate' }, ...late }, false],
		['the first file is refused', { for: { ...when, fileName: 'a.txt' }, status: 400 }, false],
		['the second file is refused', { for: { ...when, fileName: 'b.txt' }, status: 400 }, true],
		['the second file meets a busy host', { for: { ...when, fileName: 'b.txt' }, ...late }, true],
		['the second file is lost', { for: { ...when, fileName: 'b.txt' }, ...lost }, true],
		['the status is refused', { for: { operation: 'poll' }, status: 503 }, true],
		['the status comes too late', { for: { operation: 'poll' }, ...late }, true],
		['the agent is lost', { for: { operation: 'add' }, ...lost }, true],
		['the agent comes too late', { for: { operation: 'add' }, ...late }, true],
		[
			'the agent does not take them',
			{ for: { operation: 'add' }, status: 400, code: 'ERR_KB_INDEXING_FAILED' },
			true,
		],
	])('%s', async (_, rule, isPartlyDone) => {
		service().script({ ...rule, times: Infinity });
		const run = await upload(['a.txt', 'b.txt'], {
			parameters: { ...TO_AGENT, waitUntilIndexed: true },
			options: { maxAttempts: 2 },
		});
		const { description = '' } = Object(errorOf(run));
		const told = [/(?:run|upload) it again/i, /To go on, /].map((way) => way.test(description));
		expect(told).toEqual([!isPartlyDone, isPartlyDone]);
	});
});

test('an item that failed fails alone: the other items go on', async () => {
	service().script({ for: { ...when, fileName: 'b.txt' }, status: 400 });
	const { output } = await upload([], { files: itemEach(['a.txt', 'b.txt', 'c.txt']) });
	expect(output.map(({ json, pairedItem }) => [json.success, pairedItem])).toEqual([
		[true, { item: 0 }],
		[false, { item: 1 }],
		[true, { item: 2 }],
	]);
});

test('the item that ends a run is named as its cause, and not one that it cut off', async () => {
	service().scriptIndexing({ for: { fileName: 'slow.txt' }, ms: Infinity });
	service().script({ for: { ...when, fileName: 'bad.txt' }, status: 400, latencyMs: 2_000 });
	const { error } = await upload([], {
		onError: 'stopWorkflow',
		files: itemEach(['slow.txt', 'bad.txt']),
		parameters: { waitUntilIndexed: true },
	});
	expect(error?.message).toContain('[item 1] (0 of 2 items applied, 2 failed, 0 not sent)');
	expect(error?.description).toContain(`In CometChat now: "slow.txt" (ID ${ids()[0]}, item 0).`);
});
