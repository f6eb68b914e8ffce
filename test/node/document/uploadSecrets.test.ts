import { CometChatKnowledgeBase } from '../../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBase.node';
import type { Rule, Service } from '../../service/service';
import type { Run } from '../engine';
import { listContext } from '../engine';
import { add, credentialFor, freshService } from '../fixture';
import { agent, file, runFiles } from '../operations';

const service = freshService();
const BOTH = ['continueRegularOutput', 'stopWorkflow'] as const;
const files = [{ data: file('a.txt') }];

/** A text that holds upload addresses, taken apart. */
function addressesIn(body: unknown): string[] {
	return JSON.stringify(body).match(/http[^"]+X-Amz-[^"]+/g) ?? [];
}

/** Everything that whoever has it could write to the upload host with. */
function secretsOf(address: string): string[] {
	const { pathname, searchParams } = new URL(address);
	const signature = searchParams.get('X-Amz-Signature') ?? '';
	const [key = ''] = (searchParams.get('X-Amz-Credential') ?? '').split('/');
	return [address, pathname, signature.slice(0, 20), signature.slice(-8), key, 'X-Amz', 'X%2DAmz'];
}

function expectHidden(run: Run, secrets: string[]): void {
	expect(secrets.length).toBeGreaterThan(0);
	const { error, hints, stored } = run;
	const shown = [stored, JSON.stringify([error ?? null, hints]), String(error?.stack)].join('\n');
	for (const secret of secrets) expect(shown).not.toContain(secret);
}

/** Makes initiate answer with another body made of the true one, whose addresses are noted. */
function initiateAnswers(of: Service, rule: Omit<Rule, 'transform'>, make: Make): string[] {
	const secrets: string[] = [];
	const transform = (body: unknown) => {
		const addresses = addressesIn(body);
		secrets.push(...addresses.flatMap(secretsOf));
		return make(addresses[0] ?? '', body);
	};
	of.script({ times: Infinity, ...rule, for: { operation: 'initiate' }, transform });
	return secrets;
}

type Make = (address: string, body: unknown) => unknown;

const signatureOf = (address: string) => new URL(address).searchParams.get('X-Amz-Signature');

describe('No part of an upload address is shown, whatever CometChat answers with it:', () => {
	const refused = { status: 400, apply: true };
	const broken = { status: 500, apply: true };

	test.each<[string, Omit<Rule, 'transform'>, Make]>([
		['the documented answer', {}, (_, body) => body],
		['under other names', {}, (url) => ({ uploads: [{ id: 'a', fileName: 'a.txt', url }] })],
		['in another wrapping', {}, (_, body) => ({ data: body })],
		['beside no success', {}, (url) => ({ success: false, message: `Not stored at ${url}` })],
		['as a text', {}, (url) => url],
		[
			'in short lines',
			{},
			(url) => `${url.slice(0, -8).replace(/.{12}/g, '$&\n')}\n${url.slice(-8)}`,
		],
		['in a message with 400', refused, (url) => ({ message: `Use ${url} instead`, error: 'No' })],
		['in a message with 500', broken, (url) => ({ error: { code: 'ERR', message: url } })],
		['in details', refused, (url) => ({ error: { details: ['Not stored at', url] } })],
		['in a body of no known shape', refused, (url) => ({ a: [{ b: url }] })],
		['in a page', broken, (url) => `<html><title>${url}</title>${url}</html>`],
		['where the quotation is cut', refused, (url) => ({ message: `${'x '.repeat(120)}${url}` })],
		['cut by CometChat', refused, (url) => ({ message: url.slice(0, -20) })],
		[
			'without its start',
			refused,
			(url) => ({ message: url.slice(url.indexOf('Signature=') + 12) }),
		],
		['with escaped slashes', refused, (url) => JSON.stringify({ url }).replaceAll('/', '\\/')],
		['percent-encoded', refused, (url) => ({ message: `next=${encodeURIComponent(url)}` })],
		['in Base64', refused, (url) => ({ message: btoa(url) })],
		[
			'with the signature as the code',
			refused,
			(url) => ({ error: { code: signatureOf(url), message: 'No.' } }),
		],
		[
			'in parts',
			refused,
			(url) => {
				const { host, pathname: path, searchParams } = new URL(url);
				return { message: JSON.stringify({ host, path, ...Object.fromEntries(searchParams) }) };
			},
		],
		[
			'in parts, as lines',
			refused,
			(url) => ({ message: ['Not signed:', ...url.split(/[?&=]/)].join('\n') }),
		],
	])('%s', async (_, rule, make) => {
		const secrets = initiateAnswers(service(), rule, make);
		for (const onError of BOTH) {
			const options = { maxAttempts: 1 };
			expectHidden(
				await runFiles(service(), 'document.upload', { onError, files, options }),
				secrets,
			);
		}
	});

	test('in the answers to other requests', async () => {
		let address = '';
		initiateAnswers(service(), {}, (url, body) => {
			address = url;
			return body;
		});
		const quoting = {
			status: 400,
			times: Infinity,
			transform: () => ({ message: `See ${address}` }),
		};
		service().script(
			...(['poll', 'add'] as const).map((operation) => ({ ...quoting, for: { operation } })),
		);
		for (const onError of BOTH) {
			for (const waitUntilIndexed of [true, false]) {
				const parameters = { addToAgent: true, uid: agent('support-bot'), waitUntilIndexed };
				const run = await runFiles(service(), 'document.upload', { onError, files, parameters });
				expect(run.stored).toContain('See [address].');
				expectHidden(run, secretsOf(address));
			}
			const run = await add(service(), [{ agent: 'support-bot', files: ['a'] }], { onError });
			expect(run.stored).toContain('See [address].');
			expectHidden(run, secretsOf(address));
		}
	});

	test('in the list of records, and as a status', async () => {
		let address = '';
		initiateAnswers(service(), {}, (url, body) => {
			address = url;
			return body;
		});
		await runFiles(service(), 'document.upload', { files });
		const record = {
			uniqueId: 'a',
			sourceName: address,
			status: address,
			file: { [address]: [address] },
			[address]: address,
			owner: 'Ann',
		};
		const list = JSON.stringify({ data: [record] });
		service().script({ for: { operation: 'records' }, body: list, times: 2 });
		const found = await runFiles(service(), 'document.getMany', { parameters: { simple: false } });
		expect(found.output[0]?.json).toMatchObject({ uniqueId: 'a', owner: 'Ann' });
		expectHidden(found, secretsOf(address));

		const context = await listContext(credentialFor(service()), 'pickedFiles', {
			resource: 'document',
			operation: 'getStatus',
		});
		const options = await new CometChatKnowledgeBase().methods.loadOptions.getFiles.call(context);
		expect(options).toMatchObject([{ value: 'a' }]);
		for (const secret of secretsOf(address)) expect(JSON.stringify(options)).not.toContain(secret);

		const body = JSON.stringify({ success: true, data: { a: address } });
		service().script({ for: { operation: 'poll' }, body });
		const asked = await runFiles(service(), 'document.getStatus', { parameters: { fileIds: 'a' } });
		expect(asked.output[0]?.json).toMatchObject({ uniqueId: 'a', isReady: false });
		expectHidden(asked, secretsOf(address));
	});
});

describe('What the upload host says does not show its address:', () => {
	const expired = freshService({ uploads: { expiresMs: 0 } });
	const unsigned = freshService({ uploads: { contentType: 'image/png' } });
	const again = { for: { operation: 'upload' as const }, times: Infinity };

	test.each<[string, Rule]>([
		['that it is busy', { status: 503 }],
		['nothing, because the connection is lost', { drop: 'beforeApplying' }],
		['nothing', { stall: true }],
		['another place', { status: 307, headers: { Location: 'https://example.com/?X-Amz-Date=1' } }],
	])('%s', async (_, rule) => {
		const secrets = initiateAnswers(service(), {}, (__, body) => body);
		service().script({ ...rule, ...again });
		for (const onError of BOTH) {
			const options = { maxAttempts: 2, maxWaitSeconds: 0, timeoutSeconds: 1 };
			const run = await runFiles(service(), 'document.upload', { onError, files, options });
			expect(run.stored).toContain('a.txt');
			expectHidden(run, secrets);
		}
	});

	test.each([
		['that it has expired', expired],
		['that the signature is another, which it repeats', unsigned],
	])('%s', async (_, host) => {
		const secrets = initiateAnswers(host(), {}, (__, body) => body);
		for (const onError of BOTH) {
			const run = await runFiles(host(), 'document.upload', { onError, files });
			expect(run.stored).toContain('The upload address answered with status 403.');
			expectHidden(run, secrets);
		}
	});

	test('that it is not encrypted', async () => {
		const presignedUrl = 'http://example.com/x?Signature=0123456789';
		const uploads = [{ uploadId: 'u1', fileName: 'a.txt', presignedUrl }];
		service().script({ for: { operation: 'initiate' }, body: JSON.stringify({ uploads }) });
		const run = await runFiles(service(), 'document.upload', { onError: BOTH[0], files });
		expect(service().uploads()).toEqual([]);
		expectHidden(run, [presignedUrl, 'Signature']);
	});
});
