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
import { chosen, EXAMPLES, exampleNames, expectationOf, readWorkflow } from '../workflows.mjs';
import { TRIGGER_TYPE, type Environment } from '../engine/environment.mjs';
import { documentBytes } from '../engine/files.mjs';
import { submitForm } from '../engine/form.mjs';

/** How a user fills in an example and runs it. */
interface Case {
	before?(environment: Environment): Promise<unknown>;
	/** The agents chosen in the first copy and in the second copy, in the order of the nodes. */
	agents?: [string[], string[]];
	/** The message in the chat, and the turns of the language model. */
	chat?: string;
	turns?: Turn[];
	/** The answers in n8n's human review; left out: each change is approved. */
	answers?: boolean[];
	/** The files sent with the message or the form. */
	files?: Record<string, string>;
	/** Texts on the last page of the form. */
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

const CURATE = 'agent-curates-its-own-knowledge';

const CASES: Record<string, Case> = {
	'add-a-list-of-files': BY_IDS,
	[CURATE]: {
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
				// The text differs each time. The second copy uses another title, because agents share a text entry.
				call: () =>
					forApproval({
						Title: curations++ < 2 ? 'Opening hours' : 'Opening hours of sales',
						Text: `We are open from 8 to 18, Monday to Friday. Note ${randomUUID()}.`,
					}),
			},
			{
				tool: 'Remove_Documents',
				call: (told) =>
					forApproval({
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
	'evaluate-answers': { says: ['0.5 passed'] },
	'find-unused-documents': {
		before: async (environment) => {
			// An agent's text entry proves that agents' lists contain text entries at all.
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

/** The node that responds only continues with an open chat. */
const OPEN_CHAT = {
	'"@n8n/n8n-nodes-langchain.chat",\n\t\t\t"typeVersion": 1.3':
		'"n8n-nodes-base.noOp",\n\t\t\t"typeVersion": 1',
};

/** A tool that deletes documents permanently, in place of the tool that removes them. */
const DELETE = {
	...OPEN_CHAT,
	'"operation": "remove"': '"resource": "document", "operation": "delete", "ifUsed": "delete"',
};

async function proveReviewOfDelete(prove: Prove, environment: Environment): Promise<void> {
	await prove(
		"n8n's human review: Document: Delete keeps a declined document, and deletes an approved document",
		async () => {
			const { service, reset } = environment;
			reset();
			await giveFile(environment, 'price-list-2024.csv');
			const [kept, deleted] = service.records();
			const { execution } = await runExample(environment, CURATE, ['support-bot'], DELETE, {
				chat: 'Delete both files.',
				answers: [false, true],
				turns: [
					...[kept, deleted].map((file) => ({
						tool: 'Remove_Documents',
						call: forApproval({ Source_Type: 'uploads', Document_IDs: file?.uniqueId }),
					})),
					{ say: 'I have deleted one of the files.' },
				],
			});
			assertSucceeded(execution);
			assert.deepEqual(service.records(), [kept]);
		},
	);
}

/** Returns the call of a tool that needs n8n's human review. */
function forApproval(toolParameters: Fields): Fields {
	return { toolParameters, hitlParameters: { Summary: 'I would like to make a change.' } };
}

/** Adds the file to the agent, in addition to a file deliveries.txt. */
async function giveFile({ run, service }: Environment, name: string, agent = 'support-bot') {
	const given = { 'prices.csv': name, 'support-bot': agent };
	assertSucceeded(await run('upload-to-agent', given));
	service.clearLog();
}

/** The examples contain these in place of real IDs. */
const IDS = [
	'550e8400-e29b-41d4-a716-446655440000',
	'6fa459ea-ee8a-4ca4-894e-db77e160355e',
	'16fd2706-8baf-433b-82eb-8c7fada847da',
];

const FAQ = 'answer-from-a-faq-table';
const QUESTIONS = 'ask-test-questions-every-morning';
const EVALUATION = 'evaluate-answers';

const FAQ_ROWS = [
	{ question: 'When are you open?', answer: 'From 9 to 5, Monday to Friday.' },
	{ question: 'Can I return a chair / a table?', answer: 'Yes, within 30 days.' },
	// A draft.
	{ question: 'Do you deliver?', answer: '' },
	// The message reports this duplicate question.
	{ question: 'Is there a shop?', answer: 'Yes.' },
	{ question: 'Is there a shop?', answer: 'No.' },
];

/** The simulated agents repeat the question. The last row has no question. */
const QUESTION_ROWS = [
	{ question: 'Are you open from 9 to 5?', mustContain: '9 to 5' },
	{ question: 'Can I return a chair?', mustContain: '30 days\nCHAIR' },
	{ question: '', mustContain: '30 days' },
];

/** The files in examples/, imported as they are, with only those fields filled in that their notes name. */
export const examples: Topic = {
	name: 'examples',
	async proveAll(prove, stage) {
		const environment = await stage.environment();
		const filledIn = await allFilledIn(environment);
		await proveReviewOfDelete(prove, environment);
		for (const name of exampleNames()) {
			// The topic `queue` runs the others.
			if (!name.startsWith('queue-mode-')) {
				await proveExample(prove, environment, name, filledIn[name]);
			}
		}
	},
};

/** The fields filled in besides the agents, by example. The second copy uses the same values unless it has its own. */
async function allFilledIn({ n8n, files }: Environment): Promise<Record<string, Array<Filled>>> {
	return {
		[FAQ]: [
			await tableFilledIn(n8n.rest, FAQ, FAQ_ROWS),
			await tableFilledIn(n8n.rest, `Second ${FAQ}`, FAQ_ROWS.slice(1, 2)),
		],
		'sync-help-center-articles-nightly': [{ 'https://support.example.com': files.origin }],
		[QUESTIONS]: [
			{
				...(await tableFilledIn(n8n.rest, QUESTIONS, QUESTION_ROWS)),
				...chosen('askAs', 'checker'),
			},
		],
		[EVALUATION]: await Promise.all(
			[2, 1].map(async (count) => ({
				...(await tableFilledIn(n8n.rest, `${EVALUATION} ${count}`, QUESTION_ROWS.slice(0, count))),
				...chosen('askAs', 'checker'),
			})),
		),
		'sync-a-google-drive-folder-nightly': [
			{
				'"mode": "url",\n\t\t\t\t\t\t"value": ""':
					'"mode": "url", "value": "https://drive.google.com/drive/folders/manuals"',
			},
		],
		'sync-a-onedrive-folder-nightly': [{ '"folderId": ""': '"folderId": "prices"' }],
		'sync-google-drive-subfolders-nightly': [{ FOLDER_ID: 'manuals' }],
		'crawl-a-website-every-sunday': [{ '"url": ""': '"url": "https://docs.example.com"' }],
		'sync-a-disk-folder-nightly': [
			folderFilledIn(n8n.userFolder, 'manuals', FOLDER_FILES),
			folderFilledIn(n8n.userFolder, 'other-manuals', FOLDER_FILES.slice(0, 1)),
		],
		[CURATE]: [OPEN_CHAT],
		// All documents of a test are new.
		'find-unused-documents': [{ 'days: 30': 'days: -1' }],
		'remove-outdated-files-nightly': [
			{ '2024-12-31': '={{ $today.minus({ days: 1 }).toISODate() }}' },
		],
	};
}

type Filled = Record<string, string>;

/** A picture is skipped, and a sign-in page instead of a file fails. */
const FOLDER_FILES = [
	...['opening-hours.md', 'prices/list.pdf', 'team-photo.png', 'warranty.docx'],
	'faq.md',
];
const SIGN_IN_PAGE = '<!doctype html><title>Sign in</title>';

function folderFilledIn(userFolder: string, name: string, files: string[]): Filled {
	// n8n may only read files in this folder.
	const folder = join(userFolder, '.n8n-files', name);
	for (const file of files) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		const bytes = file === 'faq.md' ? SIGN_IN_PAGE : Buffer.concat([...documentBytes(file)]);
		writeFileSync(join(folder, file), bytes);
	}
	return { '"fileSelector": ""': `"fileSelector": "${folder}/**"` };
}

/** Runs the example twice, then imports and runs a second copy for another agent. */
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

function heldBy(service: Service, agents: string[]) {
	const ids = agents.flatMap((agent) =>
		['uploads', 'text', 'website'].flatMap((type) => service.files(agent, type)),
	);
	return ids.map((id) => ({
		...service.records().find(({ uniqueId }) => uniqueId === id),
		content: service.text(id) ?? service.stored(id),
	}));
}

/** Creates a table, and returns the replacement that chooses the table in an example. */
async function tableFilledIn(rest: N8nRest, name: string, rows: Fields[]): Promise<Filled> {
	const columns = Object.keys(rows[0] ?? { question: '', answer: '' });
	const id = await rest.createTable(name, columns, rows);
	return chosen('dataTableId', id);
}

/**
 * Imports the example and starts it as its trigger would. A form is sent at its URL, and our trigger finds a document.
 * An evaluation has an execution for each row: the result is the last execution, and the average.
 */
async function runExample(
	{ n8n, service, languageModel, importExample }: Environment,
	name: string,
	agents: string[],
	replace: Filled,
	{ chat: chatInput, turns = [], answers, files = {} } = CASES[name] ?? {},
): Promise<{ execution: Execution; page: string }> {
	const { rest } = n8n;
	languageModel.script(...turns);
	const trigger = triggerOf(readWorkflow(name, {}, EXAMPLES));
	const type = textAt(trigger, 'type');
	// The editor assigns a new URL path to each import.
	const path = randomUUID();
	const ownPath = { [textAt(trigger, 'webhookId') || path]: path };
	const id = await importExample(name, agents, { ...replace, ...ownPath });
	if (type === TRIGGER_TYPE) await write(service, 'Price list', { ms: 0, ends: 'failed' });
	if (type.endsWith('.evaluationTrigger')) {
		const { passed } = await rest.evaluate(id);
		return { execution: await rest.newest(id), page: `${String(passed)} passed` };
	}
	if (!type.endsWith('.formTrigger')) {
		const json = { sessionId: id, action: 'sendMessage', chatInput };
		const sent = Object.entries(files).map(([fileName, text], index) => {
			const data = Buffer.from(text).toString('base64');
			return [`data${index}`, { data, fileName, mimeType: 'text/markdown' }] as const;
		});
		const binary = sent.length > 0 ? Object.fromEntries(sent) : undefined;
		const item = chatInput === undefined ? undefined : { json, binary };
		const started = await rest.start(id, type, item);
		return { execution: await answerAll(rest, started, answers), page: '' };
	}
	await rest.activate(id);
	const page = await submitForm(n8n, path, files);
	await until('the page was the end', 60_000, async () => {
		return (await rest.executions(id)).every(({ status }) => status !== 'waiting');
	});
	return { execution: await rest.newest(id), page };
}

/** The headers of a browser, because other programs, for example for a preview, approve nothing. */
const BROWSER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' };

/** Answers all requests of an execution, like the buttons in the chat. Resolves after the end of the execution. */
async function answerAll(rest: N8nRest, id: string, answers: boolean[] = []): Promise<Execution> {
	let execution = await rest.untilEnded(id);
	for (let at = 0; execution.status === 'waiting'; at += 1) {
		const text = await rest.executionText(id);
		const links = new RegExp(`http[^"\\\\]+approved=${answers[at] ?? true}[^"\\\\]+`);
		const [link = ''] = links.exec(text) ?? [];
		await (await fetch(link, { headers: BROWSER })).text();
		execution = await rest.untilEnded(id);
	}
	return execution;
}

function idIn(told: string, name: string): string {
	const found = told.split('{').find((entry) => entry.includes(`"name":"${name}"`));
	return /"uniqueId":"([^"]+)"/.exec(found ?? '')?.[1] ?? `no ID of ${name}`;
}

function triggerOf(workflow: Fields): unknown {
	return listAt(workflow, 'nodes').find((node) => /trigger$/i.test(textAt(node, 'type')));
}
