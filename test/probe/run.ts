import { withoutKey } from '../../nodes/CometChatKnowledgeBase/account/account';
import type { Machine, Settings } from './client';
import { Halt, ProbeClient } from './client';
import { Missing, Probe } from './probe';
import type { Question } from './question';
import { QUESTIONS } from './questions/table';
import { redacted, savedAnswer } from './redaction';
import type { Finding, Report } from './report';
import { findingLines } from './report';
import type { Throwaways } from './throwaways';

/** Asks one question after another, and deletes all that was made however that ends. */
export async function runProbe(
	settings: Settings,
	machine: Machine,
	throwaways: Throwaways,
): Promise<Report> {
	const client = new ProbeClient(settings, machine);
	const probe = new Probe(client, throwaways);
	const findings: Finding[] = [];
	let saved = 0;
	/** As a file to hand on: what was sent and came back since the last one, without what is private. */
	const save = (name: string, about: object) => {
		const isOwn = (text: string) => throwaways.isIn(text);
		const answers = client.answers.slice(saved).map((answer) => savedAnswer(answer, isOwn));
		saved = client.answers.length;
		if (answers.length === 0) return;
		const text = JSON.stringify(redacted(client.redact, { ...about, answers }), null, '\t');
		machine.save(`${name}.json`, `${text}\n`);
	};
	try {
		for (const [id, question] of Object.entries(QUESTIONS)) {
			const { asks, ourChoice } = question;
			const { observed, holds } = await answerTo(question, probe);
			const finding: Finding = {
				id,
				asks,
				ourChoice,
				verdict: holds === undefined ? 'could not tell' : holds ? 'holds' : 'does not hold',
				observed: redacted(client.redact, JSON.parse(JSON.stringify(observed))),
			};
			findings.push(finding);
			for (const line of findingLines(finding)) machine.print(line);
			save(id, finding);
		}
	} finally {
		await throwaways.deleteAll(client);
	}
	save('clean-up', { asks: 'Deleting everything' });
	const { requests, halted } = client;
	// Of a name only the whole key is taken out: the person may have to find it.
	const left = throwaways.left().map((text) => withoutKey(text, settings.account));
	return { findings, requests, halted, left };
}

async function answerTo(question: Question, probe: Probe) {
	const { halted } = probe.client;
	const notAsked = (why: string) => ({ observed: { notAsked: why }, holds: undefined });
	if (halted !== undefined) return notAsked(halted);
	try {
		return await question.answer(probe);
	} catch (thrown) {
		const isKnown = thrown instanceof Halt || thrown instanceof Missing;
		return notAsked(isKnown ? thrown.message : `the probe failed: ${thrown}`);
	}
}
