import { freshService } from '../fixture';
import { agent, runFiles } from '../operations';

const agents = ['guide', 'sales'].map((uid) => ({ uid, name: `The ${uid}` }));
const service = freshService({ agents });

test('the agent that is named is deleted, and no other, and its name comes out', async () => {
	const parameters = { uid: agent('guide') };
	const { output } = await runFiles(service(), 'agent.delete', { parameters });
	const done = { action: 'deleted', success: true, deleted: true };
	expect(output[0]?.json).toEqual({ name: 'The guide', uid: 'guide', ...done });
	expect(service().agents()).toMatchObject([{ uid: 'sales' }]);
});
