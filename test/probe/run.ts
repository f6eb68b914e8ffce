import { withoutKey } from '../../nodes/CometChatKnowledgeBase/account/account';
import type { Answer } from './answer';
import type { Machine, Settings } from './client';
import { Halt, ProbeClient } from './client';
import { Probe } from './probe';
import type { Question } from './question';
import { QUESTIONS } from './questions/table';
import { redacted, savedAnswer } from './redaction';
import type { Finding, Report } from './report';
import { answerLine, findingLines } from './report';
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
	let answered = 0;
	try {
		for (const [id, question] of Object.entries(QUESTIONS)) {
			findings.push(await find(id, question, probe));
			answered = client.answers.length;
		}
	} finally {
		await throwaways.deleteAll(client);
	}
	const deletions = client.answers.slice(answered);
	save(probe, 'clean-up', { asks: 'Deleting everything' }, deletions);
	const { requests, halted } = client;
	return {
		findings,
		cleanUp: deletions.map((answer) => answerLine(answer, client.redact)),
		requests,
		halted,
		// Of a name only the whole key is taken out: the person may have to find it.
		left: throwaways.left().map((text) => withoutKey(text, settings.account)),
	};
}

async function find(id: string, question: Question, probe: Probe): Promise<Finding> {
	const { client } = probe;
	const from = client.answers.length;
	const { observed, holds } = await answerTo(question, probe);
	const answers = client.answers.slice(from);
	const { asks, ourChoice } = question;
	const finding: Finding = {
		id,
		asks,
		ourChoice,
		verdict: holds === undefined ? 'could not tell' : holds ? 'holds' : 'does not hold',
		observed: redacted(client.redact, JSON.parse(JSON.stringify(observed))),
		answers: answers.map((answer) => answerLine(answer, client.redact)),
	};
	for (const line of findingLines(finding)) client.machine.print(line);
	save(probe, id, finding, answers);
	return finding;
}

const ALLOW = 'it needs files that the probe makes: allow it with --files-may-be-made';

async function answerTo(question: Question, probe: Probe) {
	const { made, client } = probe;
	const notAsked = (why: string) => ({ observed: { notAsked: why }, holds: undefined });
	if (client.halted !== undefined) return notAsked(client.halted);
	try {
		const found = await question.answer(probe);
		if (found !== undefined) return found;
		const missing = question.needs.find((need) => made[need] === undefined);
		return notAsked(missing === 'agent' || made.files ? `there is no ${missing}` : ALLOW);
	} catch (thrown) {
		return notAsked(thrown instanceof Halt ? thrown.message : `the probe failed: ${thrown}`);
	}
}

/** As a file to hand on: what was sent and what came back, without the key and all that is private. */
function save(
	{ client, throwaways }: Probe,
	name: string,
	finding: Omit<Partial<Finding>, 'answers'>,
	answers: Answer[],
): void {
	if (answers.length === 0) return;
	const isOwn = (text: string) => throwaways.isIn(text);
	const saved = { ...finding, answers: answers.map((answer) => savedAnswer(answer, isOwn)) };
	const text = JSON.stringify(redacted(client.redact, saved), null, '\t');
	client.machine.save(`${name}.json`, `${text}\n`);
}
