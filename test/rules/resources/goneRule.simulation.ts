import {
	beginExecution,
	needsProof,
	noteCall,
	viewOf,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/goneRule';
import type { NotedAgent } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncNote';
import {
	newAgent,
	newFile,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncNote';

/** How the files of a night come: executions, the calls of each, and the files of each call. */
export interface Execution {
	calls: number[][];
	/** Left out: it ends well, and every item names its file. */
	endsBadly?: boolean;
	isNotWhole?: boolean;
}

/** What became of files over the nights. */
export interface Outcome {
	/** Taken out although they were in the folder, per 1,000 files and nights. */
	wrongly: number;
	/** How many nights after they had left the others were taken out, on average; NaN if none was. */
	nightsLate: number;
}

/** How files come: random folders, and a way of delivery that knows the night's number. */
export type Way = (folder: number[], random: () => number, night: number) => Execution[];

const FOLDERS = 80;
const NIGHTS = 30;

/** Plays the node's own rule over random folders of 2 to 15 files that come and go. */
export function simulated(deliver: Way, runsMissing = 1): Outcome {
	const counts = { wrong: 0, right: 0, late: 0, fileNights: 0 };
	for (let seed = 1; seed <= FOLDERS; seed++) playFolder(seed, deliver, runsMissing, counts);
	const { wrong, right, late, fileNights } = counts;
	return {
		wrongly: (1000 * wrong) / fileNights,
		nightsLate: late / right,
	};
}

function playFolder(
	seed: number,
	deliver: Way,
	runsMissing: number,
	counts: Record<'wrong' | 'right' | 'late' | 'fileNights', number>,
): void {
	const random = randomFrom(seed * 7919);
	const folder = new Set(Array.from({ length: 2 + Math.floor(random() * 14) }, (_, at) => at));
	let next = folder.size;
	const left = new Map<number, number>();
	const agent = newAgent('', '');
	let executionId = 0;
	let hasEndedWell = true;
	for (let night = 0; night < NIGHTS; night++) {
		for (const file of folder) {
			if (random() >= 0.02) continue;
			folder.delete(file);
			left.set(file, night);
		}
		if (random() < 0.2) folder.add(next++);
		counts.fileNights += folder.size;
		for (const { calls, endsBadly = false, isNotWhole = false } of deliver(
			[...folder],
			random,
			night,
		)) {
			executionId += 1;
			for (const call of calls) {
				const id = String(executionId);
				const isProven = needsProof(agent, id) && hasEndedWell;
				beginExecution(agent, id, isProven ? 'well' : 'not well');
				for (const file of call) agent.files.set(String(file), known(file));
				noteCall(agent, {
					names: new Set(call.map(String)),
					isWhole: !isNotWhole,
				});
				for (const file of goneNow(agent, runsMissing)) {
					agent.files.delete(String(file));
					agent.seen.delete(String(file));
					const since = left.get(file);
					if (since === undefined) counts.wrong += 1;
					else {
						counts.right += 1;
						counts.late += night - since;
						left.delete(file);
					}
				}
			}
			hasEndedWell = !endsBadly;
		}
	}
}

function goneNow(agent: NotedAgent, runsMissing: number): number[] {
	const view = viewOf(agent, runsMissing);
	if (view.kind !== 'folder' || agent.execution?.isWhole !== true) return [];
	const gone = view.absent.filter(({ runsLeft, isWithCohort }) => runsLeft === 0 && !isWithCohort);
	// 'Max Share to Remove' at its default.
	return gone.length / agent.seen.size >= 0.5 ? [] : gone.map(({ fileName }) => Number(fileName));
}

function known(file: number) {
	return { ...newFile(), current: { uniqueId: `${file}`, sha256: '', isOwn: true } };
}

/** The same numbers in each run of the tests. */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => (state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32;
}
