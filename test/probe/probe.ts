import { withoutKey } from '../../nodes/CometChatKnowledgeBase/account/account';
import { answersFile } from './answers';
import type { Machine } from './client';
import { Halt, ProbeClient } from './client';
import type { Context } from './context';
import { makeAgent, NEEDS } from './context';
import type { Question, Verdict } from './question';
import { couldNotTell } from './question';
import { READING, WITH_AGENT } from './questions/table';
import type { Finding, Report } from './report';
import { exchangeLine, findingLines } from './report';
import type { Settings } from './settings';
import type { Throwaways } from './throwaways';

/** Asks one question after another, and deletes all that was made however that ends. */
export async function runProbe(
	settings: Settings,
	machine: Machine,
	throwaways: Throwaways,
): Promise<Report> {
	const client = new ProbeClient(settings, machine);
	const [mark, unknownId, unknownUid] = [
		machine.newId().slice(-12),
		machine.newId(),
		machine.newId(),
	];
	const statuses = new Set<string>();
	const context: Context = {
		client,
		throwaways,
		mark,
		unknownId,
		unknownUid,
		records: [],
		statuses,
	};
	const findings: Finding[] = [];
	const aside: string[] = [];
	let agent: string | undefined;
	const answer = async (questions: Question[]) => {
		for (const question of questions) findings.push(await find(question, context));
	};
	const noteFrom = (from: number) => {
		aside.push(...client.exchanges.slice(from).map((exchange) => exchangeLine(exchange, client)));
	};
	try {
		await answer(READING);
		const from = client.exchanges.length;
		agent = client.redact(
			await makeAgent(context).catch((thrown: unknown) => `No agent is made: ${reason(thrown)}.`),
		);
		noteFrom(from);
		machine.print(agent);
		await answer(WITH_AGENT);
	} finally {
		const from = client.exchanges.length;
		await throwaways.deleteAll();
		noteFrom(from);
	}
	const { requests, halted } = client;
	// Of a name only the whole key is taken out: the person may have to find it.
	const shownWhole = (text: string) => withoutKey(text, settings.account);
	return { findings, agent, aside, requests, halted, left: throwaways.left().map(shownWhole) };
}

async function find(question: Question, context: Context): Promise<Finding> {
	const { client, throwaways } = context;
	const from = client.exchanges.length;
	const { word, why } = await verdictOn(question, context);
	const exchanges = client.exchanges.slice(from);
	const { id, asks, choice } = question;
	const lines = exchanges.map((exchange) => exchangeLine(exchange, client));
	const finding = { id, asks, choice, word, why: client.redact(why), exchanges: lines };
	for (const line of findingLines(finding)) client.machine.print(line);
	if (exchanges.length > 0) {
		client.machine.save(`${id}.json`, answersFile(finding, exchanges, client, throwaways));
	}
	return finding;
}

async function verdictOn({ needs = [], ask }: Question, context: Context): Promise<Verdict> {
	const { client } = context;
	if (client.halted !== undefined) return couldNotTell(client.halted);
	const missing = needs.find((need) => !NEEDS[need].isThere(context));
	if (missing !== undefined) return couldNotTell(NEEDS[missing].otherwise);
	try {
		return await ask(context);
	} catch (thrown) {
		return couldNotTell(thrown instanceof Halt ? thrown.message : `the probe failed: ${thrown}`);
	}
}

function reason(thrown: unknown): string {
	return thrown instanceof Error ? thrown.message : String(thrown);
}
