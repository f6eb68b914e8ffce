import type { Rule } from '../../service/service';
import { freshService } from '../fixture';
import { agent, arrivals, continuing, errorOf, runFiles } from '../operations';

const service = freshService({
	agents: ['guide', 'sales'].map((uid) => ({ uid, name: `The ${uid}` })),
});
const deletion = { operation: 'deleteAgent' as const };
const remove = async (uid: string) =>
	await runFiles(service(), 'agent.delete', { ...continuing, parameters: { uid: agent(uid) } });
const left = () =>
	service()
		.agents()
		.map(({ uid }) => uid);

test('the agent that is named is deleted, and no other, and its name comes out', async () => {
	const { output } = await remove('guide');
	const done = { action: 'deleted', success: true, deleted: true };
	expect(output[0]?.json).toEqual({ name: 'The guide', uid: 'guide', ...done });
	expect(left()).toEqual(['sales']);
});

test('what our own request, whose answer was lost, has deleted is deleted', async () => {
	service().script({ for: deletion, drop: 'afterApplying' });
	expect((await remove('guide')).output[0]?.json).toMatchObject({ deleted: true });
	const twice = ['deleteAgent guide', 'deleteAgent guide'];
	expect(arrivals(service()).map((line) => line.trim())).toEqual(['agent guide', ...twice]);
});

test('an agent that is not there is an error, and nothing is deleted', async () => {
	const message = 'CometChat does not know this agent';
	expect(errorOf(await remove('nobody'))).toMatchObject({ message, effect: 'not applied' });
	expect(left()).toEqual(['guide', 'sales']);
});

test.each<[string, Rule, object]>([
	['refused', { status: 400 }, { effect: 'not applied', name: 'The guide' }],
	['answered by somebody else', { status: 404, body: '<html>' }, { status: 404 }],
	['answered without success', { apply: false, body: '{"message":"ok"}' }, { effect: 'unknown' }],
])('a deletion that is %s is no success', async (_, rule, told) => {
	service().script({ for: deletion, times: Infinity, ...rule });
	expect(errorOf(await remove('guide'))).toMatchObject(told);
	expect(left()).toEqual(['guide', 'sales']);
});
