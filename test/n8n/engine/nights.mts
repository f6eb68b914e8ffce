import { isDeepStrictEqual } from 'node:util';
import type { Service } from '../../service/service.js';
import { KEYS } from '../account.mjs';
import type { Execution } from '../execution.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { hoursAgo } from './files.mjs';
import type { Environment } from './environment.mjs';

const EXAMPLE = 'keep-a-folder-in-step-nightly';
const AGENT = 'support-bot';
const BY_HAND = 'added-by-hand';

/** One night after another of the example that keeps an agent in step with a folder. */
export async function proveNights(prove: Prove, environment: Environment): Promise<void> {
	const { files, service } = environment;
	environment.reset();
	const workflow = await environment.importExample(EXAMPLE);
	const night = async () => await runNight(environment, workflow);
	const known = () => service.files(AGENT, 'uploads').map((id) => nameOf(environment, id));
	const assertKnown = (...names: string[]) => {
		const found = known().sort();
		assertHolds(isDeepStrictEqual(found, names), `The agent has ${found.join()}.`);
	};
	await addByHand(service);
	const openingHours = { name: 'opening-hours.md', changedAt: hoursAgo(2) };
	const priceList = { name: 'price-list.pdf', changedAt: hoursAgo(30) };
	const returns = { name: 'returns.md', changedAt: hoursAgo(50) };
	const warranty = { name: 'warranty.docx', changedAt: hoursAgo(900) };
	files.lay([openingHours, priceList, warranty]);

	await prove('A nightly folder: the first night adds everything, however old it is', async () => {
		const execution = await night();
		const added = ['opening-hours.md', 'price-list.pdf', 'warranty.docx'];
		assertSays(execution, 'Summary', [{ replaced: [], added, failed: [] }]);
		assertSays(execution, 'Remove Files', []);
		assertKnown(BY_HAND, ...added);
	});

	await prove('A nightly folder: a night without a change asks CometChat nothing', async () => {
		service.clearLog();
		const { status } = await night();
		assertHolds(status === 'success', `The execution ended with "${status}".`);
		assertHolds(service.log.length === 0, `It asked for ${service.log[0]?.path}.`);
	});

	await prove(
		'A nightly folder: what has changed is replaced, what is new added, what has gone taken out and kept',
		async () => {
			const idOf = (name: string) => service.files(AGENT, 'uploads')[known().indexOf(name)] ?? '';
			const [kept, gone] = [idOf('price-list.pdf'), idOf('warranty.docx')];
			files.lay([{ ...openingHours, changedAt: hoursAgo(0) }, priceList, returns]);
			const execution = await night();
			const done = { replaced: ['opening-hours.md'], added: ['returns.md'], failed: [] };
			assertSays(execution, 'Summary', [done]);
			assertKnown(BY_HAND, 'opening-hours.md', 'price-list.pdf', 'returns.md');
			const held = service.files(AGENT, 'uploads');
			assertHolds(held.includes(kept), 'The price list was sent again.');
			const records = service.records().map(({ uniqueId }) => uniqueId);
			assertHolds(records.includes(gone), 'What had gone was deleted.');
			assertHolds(records.length === 4, `CometChat has ${records.length} files.`);
		},
	);

	await prove('A nightly folder: what comes back is added again', async () => {
		files.lay([openingHours, priceList, returns, warranty]);
		await night();
		assertKnown(BY_HAND, 'opening-hours.md', 'price-list.pdf', 'returns.md', 'warranty.docx');
		service.clearLog();
		await night();
		assertHolds(service.log.length === 0, `It asked for ${service.log[0]?.path}.`);
	});

	await prove('A nightly folder: a list that comes back empty takes nothing out', async () => {
		files.lay([]);
		const execution = await night();
		assertSays(execution, 'Remove Files', []);
		assertKnown(BY_HAND, 'opening-hours.md', 'price-list.pdf', 'returns.md', 'warranty.docx');
	});

	await prove(
		'A nightly folder: what could not be taken out is taken out the next night',
		async () => {
			files.lay([openingHours, priceList, returns]);
			service.script({ for: { operation: 'remove' }, status: 400 });
			const execution = await night();
			const [failed] = execution.items('Remove Files');
			assertHolds(failed?.json.error !== undefined, 'Nothing failed.');
			assertSays(execution, 'Taken Out', []);
			assertKnown(BY_HAND, 'opening-hours.md', 'price-list.pdf', 'returns.md', 'warranty.docx');
			await night();
			assertKnown(BY_HAND, 'opening-hours.md', 'price-list.pdf', 'returns.md');
		},
	);
}

/** A file that the agent has from elsewhere, and that no night may touch. */
async function addByHand({ baseUrl }: Service): Promise<void> {
	const path = `/ai-agents/agent-builder/agents/${AGENT}/knowledge-base/uploads/add`;
	const { ok, status } = await fetch(`${baseUrl}${path}`, {
		method: 'PATCH',
		headers: { apikey: KEYS.apiKey, 'Content-Type': 'application/json' },
		body: JSON.stringify({ uniqueIds: [BY_HAND] }),
	});
	assertHolds(ok, `It could not be added: ${status}.`);
}
async function runNight({ n8n: { rest } }: Environment, workflow: string): Promise<Execution> {
	return await rest.untilEnded(await rest.start(workflow, 'n8n-nodes-base.scheduleTrigger'));
}

function nameOf({ service }: Environment, id: string): string {
	const record = service.records().find(({ uniqueId }) => uniqueId === id);
	return record?.sourceName ?? id;
}

function assertSays(execution: Execution, node: string, expected: unknown[]): void {
	const said = execution.items(node).map(({ json }) => json);
	assertHolds(isDeepStrictEqual(said, expected), `${node} says ${JSON.stringify(said)}.`);
}
