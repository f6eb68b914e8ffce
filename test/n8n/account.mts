import type { Service } from '../service/service.js';
import type { Credential } from './rest.mjs';

/** Of every stand-in; they open nothing. Nobody may meet them where they do not belong. */
export const KEYS = {
	apiKey: '5c0ffee5c0ffee5c0ffee5c0ffee5c0ffee5rest',
	authKey: '5c0ffee5c0ffee5c0ffee5c0ffee5c0ffee5auth',
};

export const WRONG_KEY = 'badc0debadc0debadc0debadc0debadc0debadkey';

/** The name that n8n itself gives to somebody's first credential. Most workflows use it. */
export const ACCOUNT = 'CometChat account';

/** A credential for a stand-in. */
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
