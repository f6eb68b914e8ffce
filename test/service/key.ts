import type { Refusal } from './refusal';

export interface Keys {
	/** The REST API Key (scope fullAccess): everything is allowed. */
	apiKey: string;
	/** The Auth Key (scope authOnly): known, but not enough for any of the operations. */
	authKey: string;
	/** Of a deployment that asks for the ID of the app in a header; left out: it asks for none. */
	appId?: string;
}

/** @returns Why the service does not take the key in the `apikey` header; undefined if it does. */
export function refuseKey(given: string | undefined, keys: Keys): Refusal | undefined {
	if (given === undefined || given === '') {
		return no(401, 'AUTH_ERR_EMPTY_APIKEY', 'The apikey header is missing. Please provide it.');
	}
	if (given === keys.apiKey) return undefined;
	const key = masked(given);
	return given === keys.authKey
		? no(403, 'AUTH_ERR_NO_ACCESS', `The key ${key} does not have the required scope.`)
		: no(
				401,
				'AUTH_ERR_APIKEY_NOT_FOUND',
				`The key ${key} does not exist. Please use correct apiKey.`,
			);
}

/** @returns Why the service does not take the app in the `appid` header; undefined if it does. */
export function refuseApp(given: string | undefined, { appId }: Keys): Refusal | undefined {
	if (appId === undefined || given === appId) return undefined;
	return given === undefined || given === ''
		? no(400, 'AUTH_ERR_EMPTY_APPID', 'The appid header is missing. Please provide it.')
		: no(400, 'AUTH_ERR_INVALID_APPID', `The app ${given} does not exist in this region.`);
}

function no(status: number, code: string, message: string): Refusal {
	return { status, code, message, envelope: 'gateway' };
}

/** `11111…11111`, as the live gateway shows a key; less of a short one. */
function masked(key: string): string {
	const shown = Math.min(5, Math.floor(key.length / 3));
	return `${key.slice(0, shown)}…${key.slice(key.length - shown)}`;
}
