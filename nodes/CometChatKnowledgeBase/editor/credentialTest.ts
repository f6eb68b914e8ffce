import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { readAccount } from '../http/account';
import { Redaction } from '../http/redaction';
import { authenticateRequest } from '../http/sign';
import { toApiErrorFromReply } from '../http/apiError';
import { isSuccess, toAttemptResult } from '../http/attemptResult';
import { descriptionOf } from '../output/itemResult';
import { listRequest, readAgents } from '../api/agents';
import { toResultSync, UserError } from '../text/failure';

const TEST_TIMEOUT_MS = 15_000;

/** For each node that takes the credential: n8n's lint asks for the test in every one of them. */
export const credentialTests = {
	async cometChatApiTest(
		this: ICredentialTestFunctions,
		credential: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
	) {
		return await testCredential(credential.data ?? {}, this.helpers);
	},
};

/**
 * Green only if the service answers with a list of agents: the one read-only call that is
 * documented for the same service and the same scope of key as the node's own requests.
 *
 * A function instead of n8n's declarative test (`ICredentialTestRequest`), whose rules tell a few cases
 * only. In n8n 2.41 it shows a bare 'ENOTFOUND' or 'ECONNREFUSED', is green for any JSON that has the
 * field it looks for, answers a bare list with an error of its own, waits five minutes for a host that
 * is silent, and sends a refused key twice.
 *
 * That takes n8n's older `request`, beside which n8n hands it nothing newer for HTTP, and against which there is a lint rule
 * (`no-deprecated-workflow-functions`): the only exception, which `test/package/scan.mts` knows by name.
 */
export async function testCredential(
	fields: Record<string, unknown>,
	helpers: Pick<ICredentialTestFunctions['helpers'], 'request'>,
): Promise<INodeCredentialTestResult> {
	const { method, url, qs } = listRequest(undefined, undefined, 1);
	const found = toResultSync(() => ({
		account: readAccount(fields),
		signed: authenticateRequest({ method, uri: url, qs }, fields),
	}));
	if (found instanceof UserError) return toFailedTest(found.title, found.hint);
	const { account, signed } = found;
	const sent: Promise<unknown> = helpers.request({
		...signed,
		json: true,
		simple: false,
		resolveWithFullResponse: true,
		timeout: TEST_TIMEOUT_MS,
	});
	const reply = await toAttemptResult(sent, new Redaction(account));
	if (isSuccess(reply) && readAgents(reply.body))
		return { status: 'OK', message: 'CometChat accepted the API key' };
	const refusal = toApiErrorFromReply(reply);
	const isOther = reply.kind === 'response' && reply.status < 300;
	return toFailedTest(isOther ? NO_LIST : refusal.title, descriptionOf(refusal));
}

const NO_LIST = 'This host did not answer like CometChat';

function toFailedTest(what: string, more: string): INodeCredentialTestResult {
	return { status: 'Error', message: `${what}. ${more}` };
}
