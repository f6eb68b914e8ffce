import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Execution } from '../execution.mjs';
import { at, fieldsOf, listAt, textAt, type Fields } from '../fields.mjs';
import { REPOSITORY } from '../install.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { assertAsExpected } from './expectation.mjs';
import { submitForm } from './form.mjs';
import { expectationOf, readWorkflow, type Stage } from './stage.mjs';

export const EXAMPLES = join(REPOSITORY, 'examples');

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

/** The credentials that n8n itself names so when somebody creates them. */
const ACCOUNTS = ['CometChat account', 'OpenAI account'];

/** Every file in examples/, as somebody imports it, with nothing done but the credentials chosen. */
export async function proveExamples(prove: Prove, stage: Stage): Promise<void> {
	const { service, model } = stage;
	const files = readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'));
	const names = files.map((file) => file.replace('.json', ''));

	for (const name of names) {
		const example = readWorkflow(join(EXAMPLES, `${name}.json`), {});
		await prove(`examples/${name}.json: ${textAt(example, 'name')}`, async () => {
			stage.reset();
			model.script(
				{ tool: 'Add_Files', call: { File_IDs: '550e8400-e29b-41d4-a716-446655440000' } },
				{ tool: 'Remove_Files', call: { File_IDs: '6fa459ea-ee8a-4ca4-894e-db77e160355e' } },
				{ say: 'I have added one file and removed the other.' },
			);
			const id = await stage.importWorkflow(name, {}, EXAMPLES);
			const execution = await runExample(stage, example, id);
			assertAsExpected({ execution, service }, expectationOf(name));
		});
	}
	await prove(
		'The examples hold no credential, no pinned data and no trace of a machine',
		async () => {
			assertHolds(names.length >= 5, `There are only ${names.length} examples.`);
			for (const name of names) {
				const example = readWorkflow(join(EXAMPLES, `${name}.json`), {});
				const own = Object.keys(example).sort().join();
				assertHolds(
					own === 'active,connections,name,nodes,pinData,settings',
					`${name} has ${own}.`,
				);
				assertHolds(
					Object.keys(fieldsOf(example.pinData)).length === 0,
					`${name} has pinned data.`,
				);
				assertHolds(
					!/127\.0\.0\.1|localhost|\/home\/|\/work\//.test(JSON.stringify(example)),
					name,
				);
				for (const node of listAt(example, 'nodes')) {
					for (const credential of Object.values(fieldsOf(at(node, 'credentials')))) {
						const known = ACCOUNTS.includes(textAt(credential, 'name'));
						assertHolds(known && at(credential, 'id') === null, `${name}: ${textAt(node, 'name')}`);
					}
				}
			}
		},
	);
}

/** As its trigger would run it; a form is filled in at its address. */
async function runExample({ n8n }: Stage, example: Fields, id: string): Promise<Execution> {
	const { rest } = n8n;
	const trigger = triggerOf(example);
	const type = textAt(trigger, 'type');
	if (!type.endsWith('.formTrigger')) {
		const item = type.endsWith('.chatTrigger') ? CHAT : undefined;
		return await rest.untilEnded(await rest.start(id, type, item));
	}
	await rest.activate(id);
	const page = await submitForm(n8n, textAt(trigger, 'webhookId'), FORM_FILES);
	const words = `can answer from ${Object.keys(FORM_FILES).join(', ')} now`;
	assertHolds(page.includes(words), `The last page of the form is: ${page}`);
	await until('the page was the end', 10_000, async () => {
		return (await rest.newestStatus(id)) !== 'waiting';
	});
	const [execution = 'none'] = await rest.executionsOf(id);
	return await rest.untilEnded(execution);
}

function triggerOf(workflow: Fields): unknown {
	return listAt(workflow, 'nodes').find((node) => /trigger$/i.test(textAt(node, 'type')));
}
