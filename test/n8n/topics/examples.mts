import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { write } from '../byHand.mjs';
import type { Execution } from '../execution.mjs';
import { listAt, textAt, type Fields } from '../fields.mjs';
import { assertAsExpected, assertSucceeded } from '../expectation.mjs';
import type { Turn } from '../languageModel.mjs';
import type { Prove, Topic } from '../prove.mjs';
import type { N8nRest } from '../rest.mjs';
import { until } from '../until.mjs';
import { ELSEWHERE, EXAMPLES, exampleNames, expectationOf, readWorkflow } from '../workflows.mjs';
import { TRIGGER_TYPE, type Environment } from '../engine/environment.mjs';
import { documentBytes } from '../engine/files.mjs';
import { submitForm } from '../engine/form.mjs';

const CHAT = {
	sessionId: 'a-session',
	action: 'sendMessage',
	chatInput:
		'Our opening hours have changed: 8 to 18, Monday to Friday. Take the old price list out. Which documents do you have on returns?',
};

/** What a model makes of that. */
const TURNS: Turn[] = [
	{ tool: 'List_Documents', call: {} },
	{
		tool: 'Read_Document',
		call: (told) => ({ Document_ID: idIn(told, 'Opening hours') }),
	},
	{
		tool: 'Write_Text',
		call: { Title: 'Opening hours', Text: 'We are open from 8 to 18, Monday to Friday.' },
	},
	{
		tool: 'Remove_Document',
		call: (told) => ({ Source_Type: 'uploads', Document_IDs: idIn(told, 'price-list-2024.csv') }),
	},
	{ say: 'I have changed the opening hours and taken out the price list. On returns I have one.' },
];

const FAQ = 'answer-from-a-faq-table';
const QUESTIONS = 'ask-control-questions-every-morning';

/** What is there before an example runs. */
const BEFORE: Record<string, (environment: Environment) => Promise<void>> = {
	'agent-curates-its-own-knowledge': async ({ run, service }) => {
		assertSucceeded(await run('add-texts'));
		assertSucceeded(await run('upload-to-agent', { 'prices.csv': 'price-list-2024.csv' }));
		service.clearLog();
	},
	'report-what-agents-know-weekly': async ({ run, service }) => {
		assertSucceeded(await run('upload-to-agent'));
		await write(service, 'Opening hours', { ms: 0, ends: 'failed' });
	},
	[FAQ]: async ({ service }) => {
		for (const title of ['FAQ: When are you open?', 'FAQ: Do you sell ships?', 'About us']) {
			await write(service, title, { ms: 0, ends: 'indexed' });
		}
		service.clearLog();
	},
};

const FAQ_ROWS = [
	{ question: 'When are you open?', answer: 'From 9 to 5, Monday to Friday.' },
	{ question: 'Can I return a chair?', answer: 'Yes, within 30 days.' },
	{ question: 'Is there a shop?', answer: '' },
];

/** The stand-in's agents say what they were asked, to a user who is there; the last asks nothing. */
const QUESTION_ROWS = [
	{ question: 'Are you open from 9 to 5?', mustContain: '9 to 5' },
	{ question: 'Can I return a chair?', mustContain: '30 days\nCHAIR' },
	{ question: '', mustContain: '30 days' },
];

/** How an example has what somebody picks in a list. */
const notPicked = (field: string) => `"${field}": {
					"__rl": true,
					"mode": "list",
					"value": ""`;
const NO_TABLE = notPicked('dataTableId');
const NO_USER = notPicked('askAs');

/** What somebody sends with the form. */
const FORM_FILES = {
	'returns.md': 'Returns are free within 30 days.',
	'opening-hours.txt': 'We are open from 9 to 5.',
};

/** Who is picked in each node that asks for an agent, where they are for several. */
const AGENTS_OF: Record<string, string[]> = {
	'upload-for-several-agents': ['support-bot', 'sales-assistant', 'onboarding-guide'],
};

const ON_DISK = 'keep-a-disk-folder-in-step-nightly';

/** The files in examples/, as somebody imports it, with nothing done but what its notes ask to fill in. */
export const examples: Topic = {
	name: 'examples',
	async proveAll(prove, stage) {
		const environment = await stage.environment();
		const filledIn = await allFilledIn(environment);
		const known = await environment.n8n.rest.nodeTypes();
		for (const name of exampleNames()) {
			if (!ELSEWHERE.includes(name)) {
				await proveExample(prove, environment, name, filledIn[name]);
				continue;
			}
			await prove(`examples/${name}.json: n8n knows all of its nodes`, async () => {
				const types = listAt(readWorkflow(name, {}, EXAMPLES), 'nodes').map((node) =>
					textAt(node, 'type'),
				);
				assert.deepEqual(
					types.filter((type) => !known.includes(type)),
					[],
				);
				await environment.importExample(name);
			});
		}
	},
};

/** What somebody fills in beside the agents, by example. */
async function allFilledIn({ n8n }: Environment): Promise<Record<string, Record<string, string>>> {
	// Where n8n may read.
	const folder = join(n8n.userFolder, '.n8n-files/manuals');
	mkdirSync(folder, { recursive: true });
	for (const name of ['opening-hours.md', 'price-list.pdf', 'team-photo.png', 'warranty.docx']) {
		writeFileSync(join(folder, name), Buffer.concat([...documentBytes(name)]));
	}
	return {
		[FAQ]: await tableFilledIn(n8n.rest, FAQ, FAQ_ROWS),
		[QUESTIONS]: {
			...(await tableFilledIn(n8n.rest, QUESTIONS, QUESTION_ROWS)),
			[NO_USER]: NO_USER.replace('""', '"checker"'),
		},
		'crawl-a-website-every-sunday': { '"url": ""': '"url": "https://docs.example.com"' },
		[ON_DISK]: { '"fileSelector": ""': `"fileSelector": "${folder}/*"` },
	};
}

async function proveExample(
	prove: Prove,
	environment: Environment,
	name: string,
	filledIn: Record<string, string> = {},
): Promise<void> {
	const { service, languageModel, reset, importExample } = environment;
	const example = readWorkflow(name, {}, EXAMPLES);
	await prove(`examples/${name}.json: ${textAt(example, 'name')}`, async () => {
		reset();
		languageModel.script(...TURNS);
		await BEFORE[name]?.(environment);
		const id = await importExample(name, AGENTS_OF[name], filledIn);
		const execution = await runExample(environment, example, id);
		assertAsExpected(execution, service, expectationOf(name));
	});
}

/** Makes a table, and says how an example has it picked. */
async function tableFilledIn(
	rest: N8nRest,
	name: string,
	rows: Fields[],
): Promise<Record<string, string>> {
	const columns = Object.keys(rows[0] ?? { question: '', answer: '' });
	const id = await rest.createTable(name, columns, rows);
	return { [NO_TABLE]: NO_TABLE.replace('""', `"${id}"`) };
}

/** As its trigger would run it; a form is filled in at its address, and ours finds a document. */
async function runExample(
	{ n8n, service }: Environment,
	example: Fields,
	id: string,
): Promise<Execution> {
	const { rest } = n8n;
	const trigger = triggerOf(example);
	const type = textAt(trigger, 'type');
	if (type === TRIGGER_TYPE) await write(service, 'Price list', { ms: 0, ends: 'failed' });
	if (!type.endsWith('.formTrigger')) {
		const item = type.endsWith('.chatTrigger') ? CHAT : undefined;
		return await rest.untilEnded(await rest.start(id, type, item));
	}
	await rest.activate(id);
	const page = await submitForm(n8n, textAt(trigger, 'webhookId'), FORM_FILES);
	const [, said = ''] = /can answer from (.+) now/.exec(page) ?? [];
	// On a busy machine n8n's form brings them in another order.
	assert.deepEqual(said.split(', ').sort(), Object.keys(FORM_FILES).sort(), page);
	await until('the page was the end', 60_000, async () => {
		return (await rest.executions(id)).every(({ status }) => status !== 'waiting');
	});
	return await rest.newest(id);
}

/** The ID of a document in what a tool has answered. */
function idIn(told: string, name: string): string {
	const found = told.split('{').find((entry) => entry.includes(`"name":"${name}"`));
	return /"uniqueId":"([^"]+)"/.exec(found ?? '')?.[1] ?? `no ID of ${name}`;
}

function triggerOf(workflow: Fields): unknown {
	return listAt(workflow, 'nodes').find((node) => /trigger$/i.test(textAt(node, 'type')));
}
