import { textAt } from '../fields.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { sentByAgent } from './expectation.mjs';
import type { Stage } from './stage.mjs';

export async function proveTool(prove: Prove, stage: Stage): Promise<void> {
	const { service, model } = stage;

	await prove(
		"As a tool of n8n's AI Agent: the model asks, the files are added, the model is told",
		async () => {
			stage.reset();
			model.script(
				{ call: { Agent: 'support-bot', File_IDs: 'returns-2026, returns-faq' } },
				{ say: 'Added.' },
			);
			const execution = await stage.run('agent-tool');
			assertHolds(execution.status === 'success', `${execution.status}: ${execution.error}`);
			const [tool] = model.tools();
			assertHolds(tool?.name === 'Add_Files_to_Knowledge_Base', `The tool is ${tool?.name}.`);
			assertHolds(tool.arguments.join() === 'Agent,File_IDs', `It takes ${tool.arguments.join()}.`);
			assertHolds(/knowledge base/i.test(tool.description), `Its description: ${tool.description}`);
			const sent = JSON.stringify(sentByAgent(service));
			assertHolds(
				sent === '{"support-bot":["add uploads returns-2026,returns-faq"]}',
				`Sent: ${sent}`,
			);
			assertTold(stage, [
				'"success":true',
				'"uid":"support-bot"',
				'"returns-2026"',
				'"returns-faq"',
			]);
			const said = textAt(execution.items('AI Agent')[0], 'json', 'output');
			assertHolds(said === 'Added.', `The agent said "${said}".`);
		},
	);

	await prove('As a tool: a refusal reaches the model in words, and it can try again', async () => {
		stage.reset();
		model.script(
			{ call: { Agent: 'nobody', File_IDs: 'returns-2026' } },
			{ call: { Agent: 'support-bot', File_IDs: 'returns-2026' } },
			{ say: 'Added to Support Bot.' },
		);
		const execution = await stage.run('agent-tool');
		assertHolds(execution.status === 'success', `${execution.status}: ${execution.error}`);
		assertTold(stage, [
			'CometChat does not know this agent',
			'ERR_AGENT_NOT_FOUND',
			"Check 'Agent'",
		]);
		assertTold(stage, ['"success":true'], 1);
		assertHolds(
			service.files('support-bot', 'uploads').join() === 'returns-2026',
			'Nothing was added.',
		);
	});

	await prove(
		'As a tool: a call without file IDs sends nothing, and the model is told why',
		async () => {
			stage.reset();
			model.script({ call: { Agent: 'support-bot', File_IDs: '' } }, { say: 'Which files?' });
			await stage.run('agent-tool');
			assertTold(stage, ["'File IDs' is empty", 'Nothing was sent']);
			assertHolds(service.requests().length === 0, 'Something was sent.');
		},
	);
}

function assertTold({ model }: Stage, words: string[], call = 0): void {
	const told = model.toolResults()[call] ?? 'nothing';
	for (const word of words) {
		// The result is JSON in JSON for some versions of the agent: quotes may be escaped.
		const plain = told.replaceAll('\\"', '"');
		assertHolds(plain.includes(word), `The model was told: ${told}`);
	}
}
