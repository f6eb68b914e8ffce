import { startService } from '../../service/service.js';
import { ACCOUNT, accountFor, KEYS } from '../account.mjs';
import { write } from '../byHand.mjs';
import { startFiles } from '../engine/files.mjs';
import { Nights, type Place } from '../nights/nights.mjs';
import { startWatched, type WatchedAccount } from '../nights/trigger.mjs';
import type { Prove, Topic } from '../prove.mjs';
import { until } from '../until.mjs';

const OWN_ACCOUNT = 'Published account';
/** Longer than any wait for a response. */
const NO_ANSWER_MS = 600_000;

export const published: Topic = {
	name: 'published',
	async proveAll(prove, { start, environment }) {
		const { n8n } = await environment();
		const service = await start(startService(KEYS));
		const place = { n8n, service, files: await start(startFiles()) };
		await n8n.rest.createCredential(accountFor(service, OWN_ACCOUNT));
		const watched = await startWatched(start, n8n.rest, 'Trigger account');
		await prove('the trigger: publishing it gives nothing for what is there', async () => {
			await watched.publish();
			await watched.assertGiven();
		});
		await write(watched.service, 'Notice', { ms: 0, ends: 'failed' });

		const nights = await Nights.publish(place, 'night', { [ACCOUNT]: OWN_ACCOUNT });
		await proveNights(prove, place, nights);
		await prove('the trigger: what comes while n8n runs starts the workflow once', async () => {
			await watched.assertGiven('documentAdded Notice', 'indexingFailed Notice');
		});
		await proveKilled(prove, place, nights, watched);
	},
};

const REST = { 'menu.md': 'menu 1', 'garden.md': 'garden 1' };
const REST_IS_SAME = 'unchanged menu.md, unchanged garden.md';

async function proveNights(prove: Prove, { service }: Place, nights: Nights): Promise<void> {
	await prove(
		'a folder, night after night: what is the same is left, what has changed is replaced, what is new comes, what has gone is missing',
		async () => {
			nights.lay({ 'hours.md': 'hours 1', 'menu.md': 'menu 1', 'prices.md': 'prices 1' });
			await nights.go('added hours.md, added menu.md, added prices.md');
			await nights.go('unchanged hours.md, unchanged menu.md, unchanged prices.md');
			nights.lay({ 'hours.md': 'hours 2', 'prices.md': 'prices 1', 'garden.md': 'garden 1' });
			const said = 'replaced hours.md, unchanged prices.md, added garden.md, missing menu.md';
			await nights.go(said, { 'menu.md': 'menu 1' });
			nights.lay({ 'hours.md': 'hours 2', 'prices.md': 'prices 1', ...REST });
			await nights.go(`unchanged hours.md, unchanged prices.md, ${REST_IS_SAME}`);
		},
	);
	await prove('two at once leave nothing that the next one does not put right', async () => {
		nights.lay({ 'hours.md': 'hours 2', 'prices.md': 'prices 2', ...REST });
		service.clearLog();
		// Long enough for the second one to start meanwhile, also on a busy machine.
		service.script({ for: { operation: 'add' }, times: 2, latencyMs: 10_000 });
		const first = nights.fire();
		await until('the first one is in its midst', 60_000, () =>
			service.log.some(({ operation }) => operation === 'add'),
		);
		await Promise.all([first, nights.fire()]);
		await nights.go(`unchanged hours.md, replaced prices.md, ${REST_IS_SAME}`);
		await nights.go(`unchanged hours.md, unchanged prices.md, ${REST_IS_SAME}`);
	});
}

async function proveKilled(
	prove: Prove,
	{ n8n, service }: Place,
	nights: Nights,
	watched: WatchedAccount,
): Promise<void> {
	await prove('n8n killed in the midst of a night: the next one puts things right', async () => {
		nights.lay({ 'hours.md': 'hours 2', 'prices.md': 'prices 3', ...REST });
		service.clearLog();
		service.script({ for: { operation: 'remove' }, latencyMs: NO_ANSWER_MS });
		const night = nights.fire().catch(() => undefined);
		await until('the old version is to be taken out', 60_000, () =>
			service.log.some(({ operation }) => operation === 'remove'),
		);
		await n8n.kill();
		await night;
		nights.assertHeld(
			...Object.entries(REST),
			['hours.md', 'hours 2'],
			['prices.md', 'prices 2'],
			['prices.md', 'prices 3'],
		);
		await write(watched.service, 'Meanwhile', { ms: 0, ends: 'indexed' });
		await n8n.startAgain();
		await nights.go(`unchanged hours.md, replaced prices.md, ${REST_IS_SAME}`);
	});
	await prove(
		'the trigger: what came while n8n was down starts it, and nothing twice',
		async () => {
			await watched.assertGiven(
				...['documentAdded Notice', 'indexingFailed Notice'],
				...['documentAdded Meanwhile', 'indexingFinished Meanwhile'],
			);
		},
	);
}
