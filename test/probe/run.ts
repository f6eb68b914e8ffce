import { Redaction as NodeRedaction } from '../../nodes/CometChatKnowledgeBase/account/redaction';
import { NotAsked } from './client';
import type { Holds, Probe, Question, Questions } from './probe';
import { ACCOUNT } from './questions/account';
import { ASKING } from './questions/asking';
import { TEXTS } from './questions/texts';
import { UPLOADS } from './questions/uploads';
import { WEBSITE_PAGES, WEBSITES } from './questions/websites';
import { Redaction } from './redaction';

/** Whether the key is accepted shows here, and an agent is there for what comes next. */
const { 'agent-pages': pages, agent, ...account } = ACCOUNT;

/**
 * All that is asked: first whether an agent can be asked at all, then in an order in which each finds what it needs: made, sent, indexed, added, listed,
 * deleted.
 *
 * Not asked, because it would take more than one page: what becomes of pages that are left out, and
 * whether a crawl that takes long answers before its end.
 */
export const QUESTIONS: Questions = {
	...(pages && agent ? { 'agent-pages': pages, agent } : {}),
	...ASKING,
	...account,
	...WEBSITE_PAGES,
	...UPLOADS,
	...WEBSITES,
	...TEXTS,
};

const VERDICTS = ['holds', 'does not hold', 'could not tell'] as const;

/** What one question has brought to light; nothing in it has to be redacted any more. */
interface Finding extends Pick<Question, 'asks' | 'ourChoice'> {
	id: string;
	verdict: (typeof VERDICTS)[number];
	/** What it rests on, or why nothing could be told. */
	observed: unknown;
}

export interface Report {
	findings: Finding[];
	requests: number;
	/** Why the probe stopped early; undefined if it did not. */
	halted?: string;
	/** What is, or may be, still there; empty if nothing is. */
	left: string[];
}

/** Asks one question after another, and deletes all that was made however that ends. */
export async function runProbe(probe: Probe): Promise<Report> {
	const { client, throwaways } = probe;
	const { machine, settings } = client;
	const redaction = new Redaction(settings.account, throwaways.own);
	const ofNode = new NodeRedaction(settings.account);
	const findings: Finding[] = [];
	let saved = 0;
	/** As a file to hand on: what was sent and came back since the last one. */
	const save = (name: string, about: object) => {
		const answers = client.answers.slice(saved).map((answer) => redaction.answer(answer));
		saved = client.answers.length;
		if (answers.length === 0) return;
		const text = JSON.stringify({ ...about, answers }, null, '\t');
		machine.save(`${name}.json`, `${withoutSite(ofNode.text(text), settings.site)}\n`);
	};
	try {
		for (const [id, question] of Object.entries(QUESTIONS)) {
			const { asks, ourChoice } = question;
			const { holds, ...seen } = await answerTo(question, probe);
			const verdict = holds === undefined ? 'could not tell' : holds ? 'holds' : 'does not hold';
			const observed = redaction.value(JSON.parse(JSON.stringify(seen)));
			const finding: Finding = { id, asks, ourChoice, verdict, observed };
			findings.push(finding);
			machine.print(`${verdict.padEnd(16)}${asks}: the node ${ourChoice}`);
			// The service's own words are in the saved file.
			machine.print(`${' '.repeat(16)}${JSON.stringify(observed)}`);
			save(id, finding);
		}
	} finally {
		await throwaways.deleteAll();
	}
	save('clean-up', { asks: 'Deleting everything' });
	const halted = client.halted === undefined ? undefined : redaction.text(client.halted);
	// Of a name only the key is taken out: the person may have to find it.
	const left = throwaways.left().map((text) => ofNode.text(text));
	return { findings, requests: client.requests, halted, left };
}

/** The person's own, wherever the service repeats it, with all that stands behind the host. */
function withoutSite(text: string, site: string | undefined): string {
	if (site === undefined) return text;
	const host = new URL(site).hostname.replaceAll('.', '\\.');
	return text.replace(new RegExp(`(?:https?://)?${host}[^\\s"\\\\]*`, 'gi'), '[Site]');
}

async function answerTo(question: Question, probe: Probe): ReturnType<Question['answer']> {
	const notAsked = (why: string) => ({ notAsked: why, holds: undefined as Holds });
	if (probe.client.halted !== undefined) return notAsked(probe.client.halted);
	try {
		return await question.answer(probe);
	} catch (thrown) {
		return notAsked(thrown instanceof NotAsked ? thrown.message : `the probe failed: ${thrown}`);
	}
}

/** What stands below the lines of the single questions. */
export function summaryLines({ findings, requests, halted, left }: Report): string[] {
	const counts = VERDICTS.map((word) => {
		return `${findings.filter(({ verdict }) => verdict === word).length} ${word}`;
	});
	const early = halted === undefined ? '' : `; stopped early: ${halted}`;
	return [
		'',
		`${counts.join(', ')}; ${requests} requests${early}.`,
		...(left.length === 0
			? ['Nothing is left behind: all that was made has been deleted.']
			: ['Not everything could be deleted:', ...left.map((sentence) => `  ${sentence}`)]),
	];
}

/** 0: all is well. 1: something does not hold, or was not asked. 2: something is left behind. */
export function exitCodeOf({ findings, halted, left }: Report): number {
	if (left.length > 0) return 2;
	const isWell = findings.every(({ verdict }) => verdict !== 'does not hold');
	return isWell && halted === undefined ? 0 : 1;
}
