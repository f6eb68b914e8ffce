import type { Service } from '../service/service.js';
import type { Credential } from './rest.mjs';

/** The keys of each simulation, without access to anything. Secrets are searched for by them. */
export const KEYS = {
	apiKey: '5c0ffee5c0ffee5c0ffee5c0ffee5c0ffee5rest',
	authKey: '5c0ffee5c0ffee5c0ffee5c0ffee5c0ffee5auth',
};

export const WRONG_KEY = 'badc0debadc0debadc0debadc0debadc0debadkey';

/** n8n's own name for a user's first credential, which most workflows use. */
export const ACCOUNT = 'CometChat account';

export function accountFor(
	{ baseUrl }: Pick<Service, 'baseUrl'>,
	name = ACCOUNT,
	apiKey = KEYS.apiKey,
): Credential {
	return {
		name,
		type: 'cometChatApi',
		data: { appId: '', region: 'custom', baseUrl, apiKey },
	};
}
