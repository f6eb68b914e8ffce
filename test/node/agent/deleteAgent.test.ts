import type { Rule } from '../../service/service';
import { freshService } from '../fixture';
import { agent, continuing, errorOf, runFiles } from '../operations';

const agents = ['guide', 'sales'].map((uid) => ({ uid, name: `The ${uid}` }));
const service = freshService({ agents });

/** One item, in a run that goes on. */
const remove = async (...rules: Rule[]) => {
	service().script(...rules.map((rule) => ({ for: { operation: 'deleteAgent' }, ...rule })));
	const parameters = { uid: agent('guide') };
	return await runFiles(service(), 'agent.delete', { ...continuing, parameters });
};

test.each<[string, Rule[]]>([
	['at once', []],
	['and not known any more after an answer that was lost', [{ drop: 'afterApplying' }]],
])(
	'the agent that is named is deleted %s, and no other, and its name comes out',
	async (_, rules) => {
		const { output } = await remove(...rules);
		const done = { action: 'deleted', success: true, deleted: true };
		expect(output[0]?.json).toEqual({ name: 'The guide', uid: 'guide', ...done });
		expect(service().agents()).toMatchObject([{ uid: 'sales' }]);
	},
);

test.each<[string, Rule]>([
	['a 404 for an address', { status: 404, code: 'ERR_API_NOT_FOUND' }],
	['a page', { status: 404, body: '<html>Not found</html>', contentType: 'text/html' }],
	['another status with that code', { status: 408, code: 'ERR_AGENT_NOT_FOUND' }],
])('%s after a lost answer does not make the agent gone', async (_, rule) => {
	const run = await remove({ status: 503 }, { times: Infinity, ...rule });
	expect(errorOf(run)).toMatchObject({
		...{ status: rule.status, effect: 'unknown' },
		description: expect.stringContaining('It is not known whether the agent was deleted. Run it'),
	});
});
