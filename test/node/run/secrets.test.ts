import { startService } from '../../service/service';
import { add, credentialFor, freshService, KEY } from '../fixture';

const service = freshService();
const items = [{ agent: 'support-bot', files: ['a'] }];

test.each([
	['in its text', { status: 400, message: `The key ${KEY} is not allowed` }],
	['in its code', { status: 400, code: KEY }],
	['in a page', { status: 500, body: `<html><title>${KEY}</title></html>` }],
	['in a body of no known shape', { status: 400, body: JSON.stringify({ a: { b: KEY } }) }],
	['where the quotation is cut', { status: 400, message: `${'x'.repeat(290)} ${KEY}` }],
	['in a header', { status: 302, headers: { Location: `https://example.com/?${KEY}` } }],
])('a service that repeats the key %s does not bring it into the execution', async (_, rule) => {
	for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
		service().script(rule);
		const run = await add(service(), items, { onError, options: { maxAttempts: 1 } });
		expect(run.stored).toContain('CometChat');
		expect(run.stored).not.toContain(KEY);
		expect(run.stored).not.toContain(KEY.slice(0, 20));
		expect(String(run.error?.stack)).not.toContain(KEY);
	}
});

test('the key is not in the execution when there is no connection', async () => {
	const credential = { region: 'custom', baseUrl: 'http://127.0.0.1:9/v3', apiKey: KEY };
	const run = await add(service(), items, { credential, options: { maxAttempts: 1 } });
	expect(run.status).toBe('error');
	expect(run.stored).not.toContain(KEY);
});

test('a redirect to another host does not take the key there', async () => {
	const elsewhere = await startService({ apiKey: KEY, authKey: 'other' });
	service().script({ status: 307, headers: { Location: `${elsewhere.baseUrl}/x` } });
	await add(service(), items, { credential: credentialFor(service()) });
	expect(service().requests()).toHaveLength(1);
	expect(elsewhere.log).toEqual([]);
	await elsewhere.stop();
});
