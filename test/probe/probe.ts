import { withoutKey } from '../../nodes/CometChatKnowledgeBase/account/account';
import { chooseAgent } from './agent';
import { rateHeaders, success, uidCase } from './answers';
import type { Surroundings } from './asking';
import { Asker, Halt } from './asking';
import type { Exchange, Finding, Verdict } from './finding';
import { couldNotTell } from './finding';
import type { Given } from './given';
import { idShapes, listBounds, listLimits } from './lists';
import type { Question } from './question';
import { announcing, fileTypes, sameName } from './records/announcing';
import { attached } from './records/attaching';
import { deleting, deletingTwice } from './records/deleting';
import { limits } from './records/limits';
import { recordPages, uploadsListed, withoutBytes } from './records/listing';
import type { Made } from './records/making';
import { sendingBytes, sendingTwice, uploadAddress } from './records/sending';
import { statusWords, unindexed, unknownStatus, whenIndexed } from './records/statuses';
import { textType, writing } from './records/texts';
import { refusals } from './refusals';
import { repeating } from './repeating';
import { findingLines } from './report';
import type { Session } from './session';
import { sourceTypes } from './sourceTypes';
import { strangers } from './strangers';
import type { Undo } from './undo';

export interface Report {
	findings: Finding[];
	/** Which agent was used, and why that one. */
	agent: string[];
	/** What making and deleting agents, and putting back, asked beside the questions. */
	aside: Exchange[];
	requests: number;
	/** Why the probe stopped early; undefined if it did not. */
	halted?: string;
	/** What is, or may be, not as it was before; empty if all is. */
	left: string[];
}

const READING = [listLimits, listBounds, idShapes];
const WITH_AGENT = [uidCase, sourceTypes, repeating, refusals, success, rateHeaders, strangers];
/** In an order in which each finds what it needs: made, sent, indexed, added, listed, deleted. */
const ABOUT_RECORDS = [
	announcing,
	uploadAddress,
	sendingBytes,
	sendingTwice,
	whenIndexed,
	unindexed,
	attached,
	sameName,
	fileTypes,
	uploadsListed,
	withoutBytes,
	writing,
	textType,
	statusWords,
	unknownStatus,
	recordPages,
	limits,
	deleting,
	deletingTwice,
];

/** Asks one question after another, and puts everything back however that ends. */
export async function runProbe(given: Given, around: Surroundings, undo: Undo): Promise<Report> {
	const asker = new Asker(given, around);
	const made: Made = { statuses: new Set() };
	const session: Session = { asker, undo, records: [], made, unknownId: around.newId() };
	const findings: Finding[] = [];
	const agent: string[] = [];
	const aside: Exchange[] = [];
	// Of a uid only the whole key is taken out: the person may have to find it.
	const shownWhole = (text: string) => withoutKey(text, given.account);
	const answer = async (questions: Question[]) => {
		for (const question of questions) {
			const finding = await find(question, session);
			findings.push(finding);
			for (const line of findingLines(finding)) around.print(line);
		}
	};
	try {
		await answer(READING);
		agent.push(...(await orWhyNot(() => chooseAgent(session))).map(shownWhole));
		aside.push(...asker.takeExchanges());
		for (const line of agent) around.print(line);
		await answer(WITH_AGENT);
		await answer(ABOUT_RECORDS);
	} finally {
		asker.takeExchanges();
		await undo.putBack(asker);
		aside.push(...asker.takeExchanges());
	}
	findings.sort((one, other) => one.question - other.question);
	const { requests, halted } = asker;
	return {
		findings,
		agent,
		aside,
		requests,
		halted,
		left: undo.left().map(shownWhole),
	};
}

async function find(
	{ question, title, choice, ask }: Question,
	session: Session,
): Promise<Finding> {
	const { asker } = session;
	let verdict: Verdict;
	try {
		const { halted } = asker;
		const { word, why } = await ask(session);
		const isForWantOfAsking = word === 'could not tell' && halted !== undefined;
		verdict = { word, why: asker.redact(isForWantOfAsking ? halted : why) };
	} catch (thrown) {
		verdict = couldNotTell(
			thrown instanceof Halt ? thrown.message : asker.redact(`the probe failed: ${thrown}`),
		);
	}
	return { question, title, choice, ...verdict, exchanges: asker.takeExchanges() };
}

async function orWhyNot(choose: () => Promise<string[]>): Promise<string[]> {
	try {
		return await choose();
	} catch (thrown) {
		return [`No agent is used: ${thrown instanceof Error ? thrown.message : thrown}.`];
	}
}
