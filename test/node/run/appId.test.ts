import { testCredential } from '../../../nodes/CometChatKnowledgeBase/methods/credentialTest';
import { credentialTestContext } from '../engine';
import { add, credentialFor, freshService } from '../fixture';
import { agent, file, runFiles } from '../operations';

const APP = 'app2';

describe('A deployment that asks for the ID of the app in a header', () => {
	const service = freshService({ appId: APP });
	const credential = () => ({ ...credentialFor(service()), customAppId: APP });
	const appIds = () =>
		service()
			.log.filter(({ kind }) => kind === 'arrived')
			.map(({ host, headers }) => `${host} ${headers.appid}`);

	test('is told it with every request, and the host of the bytes is not', async () => {
		const parameters = { addToAgent: true, waitUntilIndexed: true, uid: agent('support-bot') };
		const files = [{ data: file('a.txt') }];
		const run = await runFiles(service(), 'document.upload', {
			files,
			parameters,
			credential: credential(),
		});
		expect(run.output[0]?.json).toMatchObject({ success: true, addedToAgent: true });
		expect(new Set(appIds())).toEqual(new Set(['api app2', 'uploads undefined']));
	});

	test('passes the test of the credential', async () => {
		const result = await testCredential(credential(), credentialTestContext().helpers);
		expect(result.status).toBe('OK');
		expect(appIds()).toEqual(['api app2']);
	});

	test.each([
		['without it', '', 'CometChat was not told which app it is about'],
		['with another', 'app3', 'CometChat does not know this app in this region'],
	])('%s, the message names the fields of the credential', async (_, customAppId, message) => {
		const { error } = await add(service(), [{ agent: 'support-bot', files: ['a'] }], {
			credential: { ...credentialFor(service()), customAppId },
		});
		expect(error).toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining('Check Base URL and App ID in the credential'),
		});
	});
});
