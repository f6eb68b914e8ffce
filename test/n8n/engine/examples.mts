import { ACCOUNT } from '../account.mjs';
import type { Execution } from '../execution.mjs';
import { at, fieldsOf, listAt, textAt, type Fields } from '../fields.mjs';
import { assertAsExpected } from '../expectation.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { EXAMPLES, exampleNames, expectationOf, readWorkflow } from '../workflows.mjs';
import type { Environment } from './environment.mjs';
import { TRIGGER_TYPE } from './environment.mjs';
import { submitForm } from './form.mjs';
import { write } from './trigger.mjs';

const CHAT = {
	sessionId: 'a-session',
	action: 'sendMessage',
	chatInput: 'Please add the file 550e8400… and take out 6fa459ea…',
};

/** What somebody sends with the form. */
const FORM_FILES = {
	'returns.md': 'Returns are free within 30 days.',
	'opening-hours.txt': 'We are open from 9 to 5.',
};

/** Who is picked in each node that asks for an agent, where they are for several. */
const AGENTS_OF: Record<string, string[]> = {
	'upload-for-several-agents': ['support-bot', 'sales-assistant', 'onboarding-guide'],
};

/** The credentials that n8n itself names so when somebody creates them. */
const ACCOUNTS = [ACCOUNT, 'OpenAI account'];

/** Every file in examples/, as somebody imports it, with nothing done but the credentials and agents chosen. */
export async function proveExamples(prove: Prove, environment: Environment): Promise<void> {
	const { service, languageModel, reset, importExample } = environment;
	const examples = exampleNames().map((name) => {
		return { name, example: readWorkflow(name, {}, EXAMPLES) };
	});

	for (const { name, example } of examples) {
		await prove(`examples/${name}.json: ${textAt(example, 'name')}`, async () => {
			reset();
			languageModel.script(
				{ tool: 'Add_Files', call: { File_IDs: '550e8400-e29b-41d4-a716-446655440000' } },
				{ tool: 'Remove_Files', call: { File_IDs: '6fa459ea-ee8a-4ca4-894e-db77e160355e' } },
				{ say: 'I have added one file and removed the other.' },
			);
			const id = await importExample(name, AGENTS_OF[name]);
			const execution = await runExample(environment, example, id);
			assertAsExpected({ execution, service }, expectationOf(name));
		});
	}
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
				const trace = /127\.0\.0\.1|localhost|\/home\/|\/work\//.exec(JSON.stringify(example));
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
		const { mode, value } = fieldsOf(at(parameters, 'uid') ?? { mode: 'list', value: '' });
		assertHolds(mode === 'list' && value === '', `${name}: ${textAt(node, 'name')} has ${value}`);
		assertHolds(at(parameters, 'mode') !== 'raw', `${name}: ${textAt(node, 'name')} is JSON`);
	}
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
	const words = `can answer from ${Object.keys(FORM_FILES).join(', ')} now`;
	assertHolds(page.includes(words), `The last page of the form is: ${page}`);
	await until('the page was the end', 60_000, async () => {
		return (await rest.executions(id)).every(({ status }) => status !== 'waiting');
	});
	const [execution] = await rest.executions(id);
	return await rest.untilEnded(execution?.id ?? 'none');
}

function triggerOf(workflow: Fields): unknown {
	return listAt(workflow, 'nodes').find((node) => /trigger$/i.test(textAt(node, 'type')));
}
