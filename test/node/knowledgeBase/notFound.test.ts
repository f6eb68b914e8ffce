import type { Rule } from '../../service/service';
import { arrivals, continuing } from '../operations';
import { BY_ITEM, freshAccount, HELD, itemsOf, jsonOf } from './replacement';

const AGENT_404: Rule = {
	status: 404,
	envelope: 'agentService',
	message: 'Agent with uid support-bot not found',
};
const removal = { for: { operation: 'remove' as const } };
const asked = { for: { operation: 'agent' as const } };

describe('A removal that is refused with 404', () => {
	const { service, replace, attached, newest } = freshAccount();
	const isAsked = () => arrivals(service()).includes('agent support-bot');

	test.each<[string, Rule, boolean]>([
		[
			'whose code says that it is about the file',
			{ status: 404, code: 'ERR_KB_NOT_FOUND', envelope: 'gateway' },
			false,
		],
		['without a code, where the agent is there', AGENT_404, true],
	])('%s counts as done', async (_, rule, asks) => {
		service().script({ ...removal, ...rule });
		const { output } = await replace({ deleteOldVersion: 'never' });
		expect(output[0]?.json).toMatchObject({ success: true, oldId: 'old', newId: newest() });
		expect(isAsked()).toBe(asks);
	});

	test.each<[string, Rule[], string]>([
		[
			'without a code, where CometChat does not know the agent',
			[
				{ ...removal, ...AGENT_404 },
				{ ...asked, ...AGENT_404 },
			],
			'CometChat does not know this agent',
		],
		[
			'without a code, where nobody can tell whether the agent is there',
			[
				{ ...removal, ...AGENT_404 },
				{ ...asked, status: 400 },
			],
			'CometChat found no such agent, file or address',
		],
		[
			'whose code says that it is about the agent',
			[{ ...removal, status: 404, code: 'ERR_AGENT_NOT_FOUND', envelope: 'gateway' }],
			'CometChat does not know this agent',
		],
	])('%s does not', async (_, rules, message) => {
		service().script(...rules);
		const run = await replace({}, continuing);
		expect(jsonOf(run).message).toBe(`${message} [item 0]`);
		expect(jsonOf(run)).toMatchObject({
			effect: 'partly applied',
			reached: ['uploaded', 'indexed', 'added'],
		});
		expect(attached()).toEqual([...HELD, newest()]);
		expect(arrivals(service()).join()).not.toContain('delete');
	});

	test('without a code ends the run for those whose turn is next, once it is clear', async () => {
		service().script({ ...removal, ...AGENT_404 }, { ...asked, ...AGENT_404, latencyMs: 20_000 });
		service().scriptIndexing({ for: { fileName: 'prices.docx' }, ms: 3000 });
		const items = itemsOf([{ brings: 'prices.pdf' }, { brings: 'prices.docx' }]);
		const { error } = await replace(BY_ITEM, items);
		expect(error?.message).toContain('CometChat does not know this agent [item 0]');
		const adds = arrivals(service()).filter((line) => line.startsWith('add'));
		expect(adds).toHaveLength(1);
	});

	test('without a code does not end the run for the other items before it is clear', async () => {
		service().script({ ...removal, ...AGENT_404 }, { ...asked, latencyMs: 500 });
		const { error, output } = await replace({ deleteOldVersion: 'never' });
		expect([error, output.length]).toEqual([undefined, 1]);
	});
});

describe('A change that fails, and for which nobody is asked about the agent', () => {
	const { service, replace, attached, newest } = freshAccount();
	const addition = { for: { operation: 'add' as const } };

	test.each<[string, Rule, string, string[]]>([
		[
			'a removal that is refused with another status',
			{ ...removal, status: 400 },
			'CometChat refused the request',
			['uploaded', 'indexed', 'added'],
		],
		[
			'an addition that is refused with 404, and a code that says that it is about the file',
			{ ...addition, status: 404, code: 'ERR_KB_NOT_FOUND' },
			'CometChat does not know one of these files',
			['uploaded', 'indexed'],
		],
		[
			'an addition that is refused with 404 without a code',
			{ ...addition, ...AGENT_404 },
			'CometChat found no such agent, file or address',
			['uploaded', 'indexed'],
		],
	])('%s', async (_, rule, message, reached) => {
		service().script(rule);
		const json = jsonOf(await replace({}, continuing));
		expect(json.message).toBe(`${message} [item 0]`);
		expect(json.reached).toEqual(reached);
		expect(attached()).toEqual(reached.includes('added') ? [...HELD, newest()] : HELD);
		expect(arrivals(service())).not.toContain('agent support-bot');
	});
});

describe('The deletion of an old version that is refused with 404 and no code', () => {
	const { service, replace } = freshAccount();
	const refused = { for: { operation: 'deleteUpload' as const }, ...AGENT_404 };

	test('counts as done if CometChat has it no more', async () => {
		service().script({ ...refused, apply: true });
		const { output } = await replace();
		expect(output[0]?.json.reached).toContain('deleted');
		expect(arrivals(service()).at(-1)).toBe('poll old');
	});

	test('does not if it is there', async () => {
		service().script(refused);
		expect(jsonOf(await replace({}, continuing))).toMatchObject({
			effect: 'partly applied',
			reached: ['uploaded', 'indexed', 'added', 'removed'],
		});
	});
});
