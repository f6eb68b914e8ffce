import type { INodeCredentialTestResult } from 'n8n-workflow';

import { readAccount } from '../account/account';
import { sign } from '../account/sign';
import { isAgentList, listRequest } from '../service/agents';
import { Complaint } from '../values/complaint';
import { explain } from '../results/explain';
import { sentences } from '../results/outcome';
import type { Reply } from '../requests/reply';
import { toAnswer, toSilence } from '../requests/reply';

const TIMEOUT_MS = 15_000;

/**
 * Green only if the service answers with a list of agents: the one read-only call that is
 * documented for the same service and the same scope of key as the node's own requests.
 *
 * A function instead of n8n's declarative test, which shows no more than 'ENOTFOUND' when there is
 * no connection, takes any page with status 200 for a success, and sends a refused key twice.
 *
 * @param request n8n's `request` helper, the only one that a credential test is given.
 */
export async function testCredential(
	fields: Record<string, unknown>,
	request: (options: object) => Promise<unknown>,
): Promise<INodeCredentialTestResult> {
	const account = readAccount(fields);
	if (account instanceof Complaint) return red(account.what, account.remedy);
	const { method, url, qs } = listRequest(undefined, undefined, 1);
	const signed = sign({ method, uri: url, qs }, fields);
	if (signed instanceof Complaint) return red(signed.what, signed.remedy);

	const reply = await sendOnce(request, {
		...signed,
		json: true,
		simple: false,
		resolveWithFullResponse: true,
		timeout: TIMEOUT_MS,
	});
	if (isAgentList(reply)) return { status: 'OK', message: 'CometChat accepted the API key' };
	const { what, again = '', remedy, said } = explain(reply, account);
	const isOther = reply.kind === 'answer' && reply.status < 300;
	return red(isOther ? NO_LIST : what, sentences(said, again, remedy));
}

const NO_LIST = 'This host did not answer like CometChat';

async function sendOnce(
	request: (options: object) => Promise<unknown>,
	options: object,
): Promise<Reply> {
	try {
		return toAnswer(await request(options));
	} catch (thrown) {
		return toSilence(thrown);
	}
}

function red(what: string, more: string): INodeCredentialTestResult {
	return { status: 'Error', message: `${what}. ${more}` };
}
