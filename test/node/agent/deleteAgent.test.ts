import type { Rule } from '../../service/service';
import { freshService } from '../fixture';
import { agent, continuing, runFiles } from '../operations';

const agents = ['guide', 'sales'].map((uid) => ({ uid, name: `The ${uid}` }));
const service = freshService({ agents, records: [{ sourceName: 'prices.pdf' }] });

test.each<[string, Rule[]]>([
	['at once', []],
	['and not known any more after an answer that was lost', [{ drop: 'afterApplying' }]],
])(
	'the agent that is named is deleted %s, no other and no document, and its name comes out',
	async (_, rules) => {
		service().script(...rules.map((rule) => ({ for: { operation: 'deleteAgent' }, ...rule })));
		const parameters = { uid: agent('guide') };
		const { output } = await runFiles(service(), 'agent.delete', { ...continuing, parameters });
		const done = { action: 'deleted', success: true, deleted: true };
		expect(output[0]?.json).toEqual({ name: 'The guide', uid: 'guide', ...done });
		expect(service().agents()).toMatchObject([{ uid: 'sales' }]);
		expect(service().records()).toHaveLength(1);
	},
);
