import { isDeepStrictEqual } from 'node:util';
import type { Service } from '../../service/service.js';
import { assertHolds, type Prove } from '../prove.mjs';
import type { Stage } from './stage.mjs';

const AGENTS = ['support-bot', 'sales-assistant'];

/** How many items the workflow `combining` has, which go to its two agents in turns. */
const ITEMS = 250;

/** 'Combine Items': what items that share a request still have of their own. */
export async function proveCombining(prove: Prove, stage: Stage): Promise<void> {
	const { service } = stage;

	await prove(
		`Combine Items: ${ITEMS} items of two agents share four requests, and each has an output item that leads back to its input`,
		async () => {
			stage.reset();
			const execution = await stage.run('combining');
			assertHolds(execution.status === 'success', `${execution.status}: ${execution.error}`);
			// Up to a hundred files each: 125 files of an agent are two requests.
			const sizes = AGENTS.map((uid) => sizesOf(service, uid).join()).join(' ');
			assertHolds(sizes === '100,25 100,25', `The requests held ${sizes} files.`);
			const items = execution.items('Add Files');
			assertHolds(items.length === ITEMS, `There are ${items.length} output items.`);
			for (const [index, { json, pairedItem }] of items.entries()) {
				const own = outputOf(index);
				assertHolds(isDeepStrictEqual(json, own), `Item ${index}: ${JSON.stringify(json)}`);
				const isLinked = isDeepStrictEqual(pairedItem, { item: index });
				assertHolds(isLinked, `Item ${index} is linked to ${JSON.stringify(pairedItem)}.`);
			}
			const traced = execution.items('Traced Back').map(({ json }) => json);
			const wanted = items.map((_, index) => ({ topic: `Topic ${index}`, file: `file-${index}` }));
			assertHolds(isDeepStrictEqual(traced, wanted), `Traced back: ${JSON.stringify(traced)}`);
			const [hint = ''] = execution.hints('Add Files');
			assertHolds(hint === `${ITEMS} items were sent in 4 requests.`, `The hint is "${hint}".`);
		},
	);

	await prove(
		'Combine Items: one refused file among many takes the error output alone, says with which items it was sent, and all others are attached',
		async () => {
			stage.reset();
			refuseFile(service, 'file-13');
			const execution = await stage.runAsExpected('combining-one-refused');
			const hints = execution.hints('Add Files').join(' ');
			assertHolds(hints.includes('1 request was refused and sent again in parts'), hints);
		},
	);

	await prove(
		'Split Refused Requests off: all items of a refused request fail and say which they are, the others are attached',
		async () => {
			stage.reset();
			refuseFile(service, 'file-2');
			await stage.runAsExpected('combining-without-splitting');
		},
	);
}

/** How many files each request for an agent held, in order. */
function sizesOf(service: Service, uid: string): number[] {
	const own = service.requests().filter((request) => request.uid === uid);
	return own.map(({ uniqueIds = [] }) => uniqueIds.length);
}

function outputOf(index: number) {
	const uid = AGENTS[index % AGENTS.length];
	const uniqueIds = [`file-${index}`];
	return { success: true, operation: 'add', uid, sourceType: 'uploads', uniqueIds };
}

/** The service refuses every request that holds this file. */
function refuseFile(service: Service, id: string): void {
	const answer = { status: 404, code: 'ERR_KB_NOT_FOUND', message: `There is no file ${id}.` };
	service.script({ for: { containsId: id }, times: Infinity, ...answer });
}
