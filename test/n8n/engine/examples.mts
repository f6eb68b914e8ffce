import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCOUNT } from '../account.mjs';
import type { Execution } from '../execution.mjs';
import { at, fieldsOf, listAt, textAt, type Fields } from '../fields.mjs';
import { assertAsExpected, assertSucceeded } from '../expectation.mjs';
import type { Turn } from '../languageModel.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import type { N8nRest } from '../rest.mjs';
import { until } from '../until.mjs';
import { EXAMPLES, exampleNames, expectationOf, readWorkflow } from '../workflows.mjs';
import { compareNode } from './described.mjs';
import type { Environment } from './environment.mjs';
import { TRIGGER_TYPE } from './environment.mjs';
import { documentBytes } from './files.mjs';
import { submitForm } from './form.mjs';
import { write } from './trigger.mjs';

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
const SCHEDULE = 'n8n-nodes-base.scheduleTrigger';

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

/** What stands in the table of an example that has one. */
const TABLES: Record<string, Fields[]> = {
	[FAQ]: [
		{ question: 'When are you open?', answer: 'From 9 to 5, Monday to Friday.' },
		{ question: 'Can I return a chair?', answer: 'Yes, within 30 days.' },
		{ question: 'Is there a shop?', answer: '' },
	],
	// The stand-in's agents say what they were asked, to a user who is there; the last asks nothing.
	[QUESTIONS]: [
		{ question: 'Are you open from 9 to 5?', mustContain: '9 to 5' },
		{ question: 'Can I return a chair?', mustContain: '30 days\nCHAIR' },
		{ question: '', mustContain: '30 days' },
	],
};

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

/** Of places where nobody here has an account: nothing is in them. */
const EMPTY_CREDENTIALS = [
	{ name: 'Google Drive account', type: 'googleDriveOAuth2Api', data: {} },
	{ name: 'Microsoft Drive account', type: 'microsoftOneDriveOAuth2Api', data: {} },
];

/** The credentials that n8n itself names so when somebody creates them. */
const ACCOUNTS = [ACCOUNT, 'OpenAI account', ...EMPTY_CREDENTIALS.map(({ name }) => name)];

const FORM = 'upload-from-a-form';
const ON_DISK = 'keep-a-disk-folder-in-step-nightly';

/** What n8n says of an example whose folder lies there, while it is not filled in. */
const FOLDERS_ELSEWHERE: Record<string, string> = {
	'keep-a-google-drive-folder-in-step-nightly': "Folder parameter's value is invalid",
	'keep-a-onedrive-folder-in-step-nightly': 'Folder ID',
};

/**
 * Every file in examples/, as somebody imports it, with nothing done but the credentials, the agents and
 * the folder chosen.
 *
 * @param home Of the user that runs n8n.
 */
export async function proveExamples(
	prove: Prove,
	environment: Environment,
	home: string,
): Promise<void> {
	const { n8n, service, languageModel, reset, importExample } = environment;
	const examples = exampleNames().map((name) => {
		return { name, example: readWorkflow(name, {}, EXAMPLES) };
	});
	const folder = join(home, '.n8n-files/manuals');
	layOnDisk(folder);
	for (const credential of EMPTY_CREDENTIALS) await n8n.rest.createCredential(credential);
	const filledIn: Record<string, Record<string, string>> = {
		[QUESTIONS]: { [NO_USER]: NO_USER.replace('""', '"checker"') },
		'crawl-a-website-every-sunday': { '"url": ""': '"url": "https://docs.example.com"' },
		[ON_DISK]: { '"fileSelector": ""': `"fileSelector": "${folder}/*"` },
	};

	for (const [name, rows] of Object.entries(TABLES)) {
		filledIn[name] = { ...filledIn[name], ...(await tableFilledIn(n8n.rest, name, rows)) };
	}

	for (const { name, example } of examples) {
		const refusal = FOLDERS_ELSEWHERE[name];
		const promise = refusal === undefined ? textAt(example, 'name') : 'stops without its folder';
		await prove(`examples/${name}.json: ${promise}`, async () => {
			reset();
			languageModel.script(...TURNS);
			await BEFORE[name]?.(environment);
			const id = await importExample(name, AGENTS_OF[name], filledIn[name]);
			const execution = await runExample(environment, example, id);
			if (refusal === undefined) assertAsExpected({ execution, service }, expectationOf(name));
			else assertStopped(environment, execution, refusal);
		});
	}
	await prove(
		'Where the FAQ table is empty, or one of its rows could not be written, no text is deleted',
		async () => {
			const goesOn = '"name": "Write Each Answer"';
			const cases: Array<[rows: Fields[], asked: number]> = [
				[[], 0],
				[TABLES[FAQ] ?? [], 1],
			];
			for (const [rows, asked] of cases) {
				reset();
				await BEFORE[FAQ]?.(environment);
				service.script({ for: { operation: 'createText' }, times: Infinity, status: 400 });
				const id = await importExample(FAQ, undefined, {
					...(await tableFilledIn(n8n.rest, `${asked} refused`, rows)),
					[goesOn]: `"onError": "continueRegularOutput", ${goesOn}`,
				});
				assertSucceeded(await n8n.rest.untilEnded(await n8n.rest.start(id, SCHEDULE)));
				const refused = service.log.filter(({ status }) => status === 400).length;
				const left = service.records().length;
				assertHolds(left === 3 && refused === asked, `${left} left, ${refused} refused.`);
			}
		},
	);
	await prove(
		'Who sends something through the form that fails reads its name and what to do, and nothing of items, IDs and operations',
		async () => {
			reset();
			service.scriptIndexing({ ends: 'failed' });
			const path = textAt(triggerOf(readWorkflow(FORM, {}, EXAMPLES)), 'webhookId');
			const page = await submitForm(n8n, path, { 'scan.pdf': 'A picture of a page.' });
			assertHolds(page.includes('scan.pdf'), `The page says: ${page}`);
			assertHolds(page.includes('It cannot read pictures'), `The page says: ${page}`);
			const inner = /\[item|\bIDs?\b|Get Status|Add Files|Upload|-0000-4000-/.exec(page);
			assertHolds(inner === null, `The page has ${inner?.[0]}: ${page}`);
		},
	);
	await prove(
		'The nodes, fields and choices of the examples are those that n8n has; what it shows in red is the agent, and what a note says',
		async () => {
			const types = await n8n.rest.nodeDescriptions();
			for (const { name, example } of examples) {
				const nodes = listAt(example, 'nodes');
				const found = nodes.map((node) => compareNode(node, types));
				const strange = found.flatMap((each) => each.strange);
				assertHolds(strange.length === 0, `${name}: ${strange.join('; ')}`);
				const notes = nodes.map((node) => textAt(node, 'parameters', 'content')).join();
				const asked = found.flatMap(({ red }) => red.filter((label) => label !== 'Agent'));
				const unsaid = asked.filter((label) => !notes.includes(`**Fill in ${label}**`));
				assertHolds(unsaid.length === 0, `${name} has no note for ${unsaid.join()}.`);
				const said = notes.split('**Fill in ').length - 1;
				assertHolds(asked.length === said, `${name} asks for ${asked.join()}.`);
			}
		},
	);
	await prove(
		'The examples hold no credential, no agent, no JSON to edit, no pinned data, no trace of a machine',
		async () => {
			assertHolds(examples.length >= 5, `There are only ${examples.length} examples.`);
			for (const { name, example } of examples) {
				assertNothingChosen(name, example);
				const own = Object.keys(example).sort().join();
				assertHolds(own === 'active,connections,name,nodes,pinData,settings', `${name}: ${own}`);
				const pinned = Object.keys(fieldsOf(example.pinData));
				assertHolds(pinned.length === 0, `${name} has pinned data.`);
				const trace = /127\.0\.0\.1|localhost|\/home\/(?!node\/)|\/work\//.exec(
					JSON.stringify(example),
				);
				assertHolds(trace === null, `${name} holds ${trace?.[0]}.`);
				const used = listAt(example, 'nodes').flatMap((node) =>
					Object.values(fieldsOf(at(node, 'credentials'))),
				);
				for (const credential of used) {
					const isNamed = ACCOUNTS.includes(textAt(credential, 'name'));
					assertHolds(isNamed && at(credential, 'id') === null, JSON.stringify(credential));
				}
			}
		},
	);
}

/** What must be chosen is empty, and n8n shows it in red; what is to be typed has a field of its own. */
function assertNothingChosen(name: string, example: Fields): void {
	for (const node of listAt(example, 'nodes')) {
		const parameters = at(node, 'parameters');
		for (const picked of ['uid', 'dataTableId', 'askAs']) {
			const { mode, value } = fieldsOf(at(parameters, picked) ?? { mode: 'list', value: '' });
			const isEmpty = mode === 'list' && value === '';
			assertHolds(isEmpty, `${name}: ${textAt(node, 'name')} has ${String(value)}`);
		}
		assertHolds(at(parameters, 'mode') !== 'raw', `${name}: ${textAt(node, 'name')} is JSON`);
	}
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

/** The files that the list of the folder over HTTP names, where n8n may read them. */
function layOnDisk(folder: string): void {
	mkdirSync(folder, { recursive: true });
	for (const name of ['opening-hours.md', 'price-list.pdf', 'team-photo.png', 'warranty.docx']) {
		writeFileSync(join(folder, name), Buffer.concat([...documentBytes(name)]));
	}
}

/** n8n names the field that is empty, and neither the folder's service nor ours was asked. */
function assertStopped({ service }: Environment, execution: Execution, refusal: string): void {
	const { status, error, description } = execution;
	const said = `${status}: ${error}. ${description}`;
	assertHolds(status === 'error' && said.includes(refusal), said);
	assertHolds(service.log.length === 0, `The service was asked ${service.log.length} times.`);
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
	const names = said.split(', ').sort().join();
	const sent = Object.keys(FORM_FILES).sort().join();
	assertHolds(names === sent, `The last page of the form is: ${page}`);
	await until('the page was the end', 60_000, async () => {
		return (await rest.executions(id)).every(({ status }) => status !== 'waiting');
	});
	const [execution] = await rest.executions(id);
	return await rest.untilEnded(execution?.id ?? 'none');
}

/** The ID of a document in what a tool has answered. */
function idIn(told: string, name: string): string {
	const found = told.split('{').find((entry) => entry.includes(`"name":"${name}"`));
	return /"uniqueId":"([^"]+)"/.exec(found ?? '')?.[1] ?? `no ID of ${name}`;
}

function triggerOf(workflow: Fields): unknown {
	return listAt(workflow, 'nodes').find((node) => /trigger$/i.test(textAt(node, 'type')));
}
