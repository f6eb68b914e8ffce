import type { INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { freshAccount, HELD, jsonOf } from './replacement';
import { arrivals, continuing } from '../operations';

const DETACHED = ['uploaded', 'indexed', 'added', 'removed'];
const NOT_KNOWN = 'Not known whether another agent has the old version: ';
const deletions = (lines: string[]) => lines.filter((line) => line.startsWith('delete'));

describe('What becomes of the old version once the agent has the new one', () => {
	const { service, replace, attached, recordIds, give } = freshAccount();

	const sales = '"Sales Assistant"';
	test.each<[string, Array<[uid: string, sourceType: string]>, string | undefined]>([
		['no other agent has it', [], undefined],
		['another agent has it', [['sales-assistant', 'uploads']], sales],
		['another agent has it as a text', [['sales-assistant', 'text']], sales],
		['another agent has it as a website', [['sales-assistant', 'website']], sales],
		[
			'two others have it',
			[
				['onboarding-guide', 'uploads'],
				['sales-assistant', 'website'],
			],
			`${sales}, "Onboarding Guide"`,
		],
	])('by default, where %s', async (_, holders, names) => {
		for (const [uid, sourceType] of holders) await give(uid, 'old', sourceType);
		const { output } = await replace();
		const isKept = names !== undefined;
		expect(output[0]?.json.reached).toEqual(isKept ? DETACHED : [...DETACHED, 'deleted']);
		expect(output[0]?.json.notDeleted).toBe(
			isKept ? `Other agents have the old version: ${names}` : undefined,
		);
		expect(deletions(arrivals(service()))).toEqual(isKept ? [] : ['deleteUpload old']);
		for (const [uid, sourceType] of holders) {
			expect(service().files(uid, sourceType)).toEqual(['old']);
		}
		expect(attached()).not.toContain('old');
		expect(recordIds().includes('old')).toBe(isKept);
	});

	test.each<[string, string, string[], boolean]>([
		['always', 'it is deleted from every agent, too', [...DETACHED, 'deleted'], false],
		['never', 'it is only taken from this agent', DETACHED, true],
	])('%s: %s, and nobody is asked', async (deleteOldVersion, _, reached, isKept) => {
		await give('sales-assistant', 'old');
		const { output } = await replace({ deleteOldVersion });
		expect(output[0]?.json).toMatchObject({ success: true, reached });
		expect(output[0]?.json.notDeleted).toBeUndefined();
		expect(attached()).not.toContain('old');
		expect(attached('sales-assistant')).toEqual(isKept ? ['old'] : []);
		expect(recordIds().includes('old')).toBe(isKept);
		expect(arrivals(service()).filter((line) => line === 'list')).toHaveLength(1);
	});

	test('where another run has deleted it meanwhile, it counts as deleted', async () => {
		service().script({ for: { operation: 'deleteUpload' }, status: 404, code: 'ERR_KB_NOT_FOUND' });
		const { output } = await replace();
		expect(output[0]?.json).toMatchObject({ success: true, reached: [...DETACHED, 'deleted'] });
	});

	interface Listed {
		uid: string;
		files?: string[];
	}
	test.each<[string, (agent: Listed) => Listed, string]>([
		[
			'does not show the new version with this agent yet',
			(one) => ({ ...one, files: HELD }),
			"CometChat's list of agents does not show the new version",
		],
		[
			'shows the old version with this agent still',
			(one) => ({ ...one, files: [...(one.files ?? []), 'old'] }),
			"CometChat's list of agents still shows the old version",
		],
		[
			'leaves out what another agent has',
			(one) => (one.uid === 'support-bot' ? one : { ...one, files: undefined }),
			"CometChat's list does not show the documents of every agent",
		],
	])('where the list %s, it is kept', async (_, shown, why) => {
		const transform = (page: unknown) => {
			const { data, ...rest } = Object(page);
			return { ...rest, data: data.map(shown) };
		};
		service().script({ for: { operation: 'list' } }, { for: { operation: 'list' }, transform });
		const { output } = await replace();
		expect(output[0]?.json.notDeleted).toBe(`${NOT_KNOWN}${why}`);
		expect(deletions(arrivals(service()))).toEqual([]);
	});
});

describe('Where the list of agents goes on in a way that this node does not know', () => {
	const agents = Array.from({ length: 60 }, (_, at) => ({ uid: `agent-${at}`, name: `${at}` }));
	const { service, replace, give } = freshAccount({
		agents: [{ uid: 'support-bot', name: 'Support Bot' }, ...agents],
		agentsNext: 'cursor',
	});

	test('nothing is uploaded, and no document of the agents behind is deleted', async () => {
		await give('agent-59', 'old');
		const run = await replace({}, continuing);
		expect(jsonOf(run).message).toContain('goes on in a way that this node cannot follow');
		expect(arrivals(service())).toEqual(['records', 'list']);
	});
});

describe.each(['empty', 'otherIds', 'stale'] as const)(
	"Where the agents' lists do not tell (%s)",
	(agentLists) => {
		const { service, replace, attached, newest } = freshAccount({ agentLists, staleMs: 60_000 });

		test('nothing is deleted, and the output says why', async () => {
			const { output } = await replace();
			expect(output[0]?.json).toMatchObject({
				success: true,
				reached: DETACHED,
				notDeleted: `${NOT_KNOWN}CometChat's list of agents does not show the new version`,
			});
			expect(deletions(arrivals(service()))).toEqual([]);
			expect(attached()).toEqual([...HELD.slice(1), newest()]);
		});
	},
);

describe('With its defaults it works every night', () => {
	const { service, replace, attached, give } = freshAccount();
	const versions = () =>
		service()
			.records()
			.filter(({ sourceName, type }) => sourceName === 'prices.pdf' && type === 'uploads')
			.map(({ uniqueId }) => uniqueId);

	/** Three runs; each must replace what the one before has brought. */
	async function threeNights(parameters: INodeParameters, evening: (id: string) => Promise<void>) {
		let current = 'old';
		for (let night = 0; night < 3; night++) {
			await evening(current);
			const { output } = await replace(parameters);
			const { success, oldId, newId } = output[0]?.json ?? {};
			expect({ success, oldId }).toEqual({ success: true, oldId: current });
			current = String(newId);
			expect(attached()).toEqual([...HELD.slice(1), current]);
		}
		return current;
	}

	test('and leaves one upload of the name', async () => {
		const last = await threeNights({}, async () => undefined);
		expect(versions()).toEqual([last]);
	});

	test('also where another agent gets every version, so that several have the name', async () => {
		const last = await threeNights({}, async (id) => await give('sales-assistant', id));
		expect(versions()).toHaveLength(4);
		expect(attached('sales-assistant')).toHaveLength(3);
		expect(attached('sales-assistant')).not.toContain(last);
	});

	test('also where a run that the user stopped has left an entry of the name', async () => {
		service().script({ for: { operation: 'upload' }, latencyMs: 60_000, apply: false });
		const stop = (async () => {
			while (!arrivals(service()).some((line) => line.startsWith('upload'))) await sleep(5);
		})();
		expect((await replace({}, { stop })).status).toBe('canceled');
		const [entry] = versions();
		expect(versions()).toEqual([entry, 'old']);
		const last = await threeNights({}, async () => undefined);
		expect(versions()).toEqual([last, entry]);
	});
});
