import type { RecordSeed } from '../../service/service';
import { agent, arrivals, runFiles } from '../operations';
import { freshUploads, TO_AGENT } from './uploads';

const records: RecordSeed[] = Array.from({ length: 250 }, (_, at) => ({
	uniqueId: `f${at}`,
	sourceName: `${at}.pdf`,
}));
const agents = Array.from({ length: 250 }, (_, at) => ({ uid: `agent-${at}`, name: `A ${at}` }));

describe('What an agent has, in a large account', () => {
	const own = [{ uid: 'support-bot', name: 'Support Bot' }, ...agents];
	const { service, upload, attached } = freshUploads({ records, agents: own });
	const replacing = { parameters: { ...TO_AGENT, ifNameExists: 'replace' } };
	const looked = () => arrivals(service()).filter((line) => /^(records|list|agent)/.test(line));

	test('is one question for the agent, and one reading of the list, whole, for all files', async () => {
		service().attach('support-bot', ['f150', 'f3']);
		await upload(['new.pdf', 'f3.pdf'], replacing);
		const lines = looked().map((line) => line.trim());
		// The last request reads the names under which CometChat lists the new files.
		expect(lines).toEqual(['records', 'records', 'records', 'agent support-bot', 'records']);
	});

	test('is proven by what other agents have where it has nothing: their list is read once', async () => {
		service().attach('agent-200', ['f3']);
		await upload(['new.pdf', '3.pdf'], replacing);
		expect(looked().filter((line) => line === 'list')).toHaveLength(6);
		expect(attached()).toHaveLength(2);
		// A file that only another agent uses stays.
		expect(service().files('agent-200', 'uploads')).toEqual(['f3']);
	});

	test('is listed by Get Many wherever it stands', async () => {
		service().attach('support-bot', ['f150', 'f3']);
		const filters = { attachedTo: 'agent', uid: agent('support-bot') };
		const { output } = await runFiles(service(), 'document.getMany', { parameters: { filters } });
		expect(output.map(({ json }) => json.uniqueId)).toEqual(['f3', 'f150']);
		expect(looked().map((line) => line.trim())).toEqual([
			...['records', 'records', 'records'],
			'agent support-bot',
		]);
	});
});
