import type { Rule } from '../../service/service';
import { freshService } from '../fixture';
import { agent, continuing, runFiles } from '../operations';

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
