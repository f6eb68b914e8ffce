import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Service } from '../../service/service.js';
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

/** How somebody has an example, and runs it. */
interface Case {
	/** What there is before. */
	before?(environment: Environment): Promise<unknown>;
	/** Who is picked in the nodes that ask for an agent, in the first copy and in the second. */
	agents?: [string[], string[]];
	/** What is written in its chat, and what a model makes of it. */
	chat?: string;
	turns?: Turn[];
	/** What is sent with that, or with its form. */
	files?: Record<string, string>;
	/** What the form's last page says. */
	says?: string[];
}

const TO_ANOTHER: [string[], string[]] = [['support-bot'], ['sales-assistant']];

const BY_IDS: Case = {
	before: async (environment) => {
		await giveFile(environment, 'warranty.csv', 'sales-assistant');
		await giveFile(environment, 'returns.csv');
	},
	agents: [['onboarding-guide'], ['sales-assistant']],
};

const TWO_FILES = {
	'returns.md': 'Returns are free within 30 days.',
	'opening-hours.txt': 'We are open from 9 to 5.',
};

let curations = 0;

const CASES: Record<string, Case> = {
	'add-a-list-of-files': BY_IDS,
	'agent-curates-its-own-knowledge': {
		before: async (environment) => {
			assertSucceeded(await environment.run('add-texts'));
			await giveFile(environment, 'price-list-2024.csv');
		},
		chat: 'Our opening hours have changed: 8 to 18, Monday to Friday. Remove the old price list. Which documents do you have on returns?',
		turns: [
			{ tool: 'List_Documents', call: {} },
			{ tool: 'Read_Document', call: (told) => ({ Document_ID: idIn(told, 'Opening hours') }) },
			{
				tool: 'Write_Text_Entry',
				// Each time in other words; the second copy uses another title, because agents share a text.
				call: () => ({
					Title: curations++ < 2 ? 'Opening hours' : 'Opening hours of sales',
					Text: `We are open from 8 to 18, Monday to Friday. Note ${randomUUID()}.`,
				}),
			},
			{
				tool: 'Remove_Documents',
				call: (told) => ({
					Source_Type: 'uploads',
					Document_IDs: idIn(told, 'price-list-2024.csv'),
				}),
			},
			{
				say: 'I have changed the opening hours and removed the price list. There is one document on returns.',
			},
		],
	},
	'answer-from-a-file-sent-in-a-chat': {
		before: async (environment) => await giveFile(environment, 'returns.md'),
		chat: 'Here is how returns go now. How long does a customer have?',
		files: { 'returns.md': 'Returns are free within 30 days.' },
		turns: [
			{ tool: 'List_Documents', call: {} },
			{ tool: 'Read_Document', call: (told) => ({ Document_ID: idIn(told, 'returns.md') }) },
			{ say: 'The agent can answer from returns.md now. A customer has 30 days.' },
		],
	},
	'find-unused-documents': {
		before: async (environment) => {
			// That agents' lists name texts at all.
			assertSucceeded(await environment.run('add-texts'));
			await write(environment.service, 'Summer sale', { ms: 0, ends: 'indexed' });
		},
	},
	'add-documents-of-one-agent-to-another': {
		before: async (environment) => {
			assertSucceeded(await environment.run('add-texts'));
			await giveFile(environment, 'prices.csv');
		},
		agents: [
			['support-bot', 'sales-assistant'],
			['support-bot', 'onboarding-guide'],
		],
	},
	'remove-outdated-files-nightly': { ...BY_IDS, agents: TO_ANOTHER },
	'replace-the-price-list': {
		before: async (environment) => await giveFile(environment, 'Prices 2025.csv'),
		files: { 'list-new.csv': 'Chair,51' },
		says: [
			'.csv: the assistant can answer from this file now. Prices 2025.csv was removed from the assistant',
		],
	},
	'report-failed-items': BY_IDS,
	'report-documents-of-each-agent-weekly': {
		before: async (environment) => {
			await giveFile(environment, 'prices.csv');
			await write(environment.service, 'Opening hours', { ms: 0, ends: 'failed' });
		},
	},
	'upload-for-several-agents': {
		agents: [['support-bot', 'sales-assistant'], ['onboarding-guide']],
		files: TWO_FILES,
		says: [
			'returns.md: Support Bot can answer from this file now',
			'opening-hours.txt: Sales Assistant can answer from this file now',
		],
	},
	'upload-from-a-form': {
		before: async (environment) => await giveFile(environment, 'returns.md'),
		files: TWO_FILES,
		says: [
			'returns.md: the assistant can answer from this file now. The old version was removed and stays in CometChat',
			'opening-hours.txt: the assistant can answer from this file now',
		],
	},
};

/** An agent gets it, and a file deliveries.txt beside it. */
async function giveFile({ run, service }: Environment, name: string, agent = 'support-bot') {
	const given = { 'prices.csv': name, 'support-bot': agent };
	assertSucceeded(await run('upload-to-agent', given));
	service.clearLog();
}

/** Stand in the examples for IDs that somebody puts in. */
const IDS = [
	'550e8400-e29b-41d4-a716-446655440000',
	'6fa459ea-ee8a-4ca4-894e-db77e160355e',
	'16fd2706-8baf-433b-82eb-8c7fada847da',
];

const FAQ = 'answer-from-a-faq-table';
const QUESTIONS = 'ask-test-questions-every-morning';

const FAQ_ROWS = [
	{ question: 'When are you open?', answer: 'From 9 to 5, Monday to Friday.' },
	{ question: 'Can I return a chair / a table?', answer: 'Yes, within 30 days.' },
	{ question: 'Do you deliver?', answer: '' },
	// A mistake in the table, of which somebody is told.
	{ question: 'Is there a shop?', answer: 'Yes.' },
	{ question: 'Is there a shop?', answer: 'No.' },
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

/** What somebody fills in beside the agents, by example; in the second copy the same if nothing is said. */
async function allFilledIn({ n8n }: Environment): Promise<Record<string, Array<Filled>>> {
	return {
		[FAQ]: [
			await tableFilledIn(n8n.rest, FAQ, FAQ_ROWS),
			await tableFilledIn(n8n.rest, `Second ${FAQ}`, FAQ_ROWS.slice(1, 2)),
		],
		[QUESTIONS]: [
			{
				...(await tableFilledIn(n8n.rest, QUESTIONS, QUESTION_ROWS)),
				[NO_USER]: NO_USER.replace('""', '"checker"'),
			},
		],
		'crawl-a-website-every-sunday': [{ '"url": ""': '"url": "https://docs.example.com"' }],
		'sync-a-disk-folder-nightly': [
			folderFilledIn(n8n.userFolder, 'manuals', FOLDER_FILES),
			folderFilledIn(n8n.userFolder, 'other-manuals', FOLDER_FILES.slice(0, 1)),
		],
		// What is there in a test has only come.
		'find-unused-documents': [{ 'days: 30': 'days: -1' }],
		'remove-outdated-files-nightly': [
			{ '2024-12-31': '={{ $today.minus({ days: 1 }).toISODate() }}' },
		],
	};
}

type Filled = Record<string, string>;

/** A picture is skipped, and a sign-in page in the place of a file fails. */
const FOLDER_FILES = [
	...['opening-hours.md', 'prices/list.pdf', 'team-photo.png', 'warranty.docx'],
	'faq.md',
];
const SIGN_IN_PAGE = '<!doctype html><title>Sign in</title>';

function folderFilledIn(userFolder: string, name: string, files: string[]): Filled {
	// Where n8n may read.
	const folder = join(userFolder, '.n8n-files', name);
	for (const file of files) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		const bytes = file === 'faq.md' ? SIGN_IN_PAGE : Buffer.concat([...documentBytes(file)]);
		writeFileSync(join(folder, file), bytes);
	}
	return { '"fileSelector": ""': `"fileSelector": "${folder}/**"` };
}

/** Somebody runs it, and again the week after; and then somebody imports it once more, for another agent. */
async function proveExample(
	prove: Prove,
	environment: Environment,
	name: string,
	[first = {}, second = first]: Filled[] = [],
): Promise<void> {
	const { service, reset } = environment;
	const { before, agents: [agents, others] = TO_ANOTHER, says = [] } = CASES[name] ?? {};
	const title = textAt(readWorkflow(name, {}, EXAMPLES), 'name');
	const titled = `examples/${name}.json: ${title}; nothing piles up, a second copy leaves it alone`;
	await prove(titled, async () => {
		reset();
		await before?.(environment);
		const uploads = service.records().filter(({ type }) => type === 'uploads');
		const ids = IDS.flatMap((id, index) => {
			const { uniqueId } = uploads[index] ?? {};
			return uniqueId === undefined ? [] : [[id, uniqueId] as const];
		});
		const idsFilledIn = Object.fromEntries(ids);
		const filledIn = { ...first, ...idsFilledIn };
		const { execution, page } = await runExample(environment, name, agents, filledIn);
		assertAsExpected(execution, service, expectationOf(name));
		for (const said of says) assert.ok(page.includes(said), `Not ${said}: ${page}`);

		const own = agents.filter((agent) => !others.includes(agent));
		const names = heldBy(service, own).map(({ sourceName }) => sourceName);
		assertSucceeded((await runExample(environment, name, agents, filledIn)).execution);
		const again = heldBy(service, own).map(({ sourceName }) => sourceName);
		assert.deepEqual(again.sort(), names.sort());

		const [held, all] = [heldBy(service, own), service.records()];
		const copy = await runExample(environment, name, others, { ...second, ...idsFilledIn });
		assertSucceeded(copy.execution);
		assert.deepEqual(heldBy(service, own), held);
		const there = service.records().map(({ uniqueId }) => uniqueId);
		assert.deepEqual(
			all.filter(({ uniqueId }) => !there.includes(uniqueId)),
			[],
		);
	});
}

/** What agents answer from: each document, and what it says. */
function heldBy(service: Service, agents: string[]) {
	const ids = agents.flatMap((agent) =>
		['uploads', 'text', 'website'].flatMap((type) => service.files(agent, type)),
	);
	return ids.map((id) => ({
		...service.records().find(({ uniqueId }) => uniqueId === id),
		says: service.text(id) ?? service.stored(id),
	}));
}

/** Makes a table, and says how an example has it picked. */
async function tableFilledIn(rest: N8nRest, name: string, rows: Fields[]): Promise<Filled> {
	const columns = Object.keys(rows[0] ?? { question: '', answer: '' });
	const id = await rest.createTable(name, columns, rows);
	return { [NO_TABLE]: NO_TABLE.replace('""', `"${id}"`) };
}

/** Imports it, and runs it as its trigger would; a form is filled in at its address, and ours finds a document. */
async function runExample(
	{ n8n, service, languageModel, importExample }: Environment,
	name: string,
	agents: string[],
	replace: Filled,
): Promise<{ execution: Execution; page: string }> {
	const { rest } = n8n;
	const { chat: chatInput, turns = [], files = {} } = CASES[name] ?? {};
	languageModel.script(...turns);
	const trigger = triggerOf(readWorkflow(name, {}, EXAMPLES));
	const type = textAt(trigger, 'type');
	// An editor gives each import an address of its own.
	const path = randomUUID();
	const ownPath = { [textAt(trigger, 'webhookId') || path]: path };
	const id = await importExample(name, agents, { ...replace, ...ownPath });
	if (type === TRIGGER_TYPE) await write(service, 'Price list', { ms: 0, ends: 'failed' });
	if (!type.endsWith('.formTrigger')) {
		const json = { sessionId: id, action: 'sendMessage', chatInput };
		const sent = Object.entries(files).map(([fileName, text], index) => {
			const data = Buffer.from(text).toString('base64');
			return [`data${index}`, { data, fileName, mimeType: 'text/markdown' }] as const;
		});
		const binary = sent.length > 0 ? Object.fromEntries(sent) : undefined;
		const item = chatInput === undefined ? undefined : { json, binary };
		return { execution: await rest.untilEnded(await rest.start(id, type, item)), page: '' };
	}
	await rest.activate(id);
	const page = await submitForm(n8n, path, files);
	await until('the page was the end', 60_000, async () => {
		return (await rest.executions(id)).every(({ status }) => status !== 'waiting');
	});
	return { execution: await rest.newest(id), page };
}

/** The ID of a document in what a tool has answered. */
function idIn(told: string, name: string): string {
	const found = told.split('{').find((entry) => entry.includes(`"name":"${name}"`));
	return /"uniqueId":"([^"]+)"/.exec(found ?? '')?.[1] ?? `no ID of ${name}`;
}

function triggerOf(workflow: Fields): unknown {
	return listAt(workflow, 'nodes').find((node) => /trigger$/i.test(textAt(node, 'type')));
}
