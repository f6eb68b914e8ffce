import { STATUS_CODES } from './nodeHttp';

/** 'gateway': `{"error":{…}}`; 'agentService': `{"statusCode":…,"message":…,"error":…}`. */
export type Envelope = 'gateway' | 'agentService';

/** What fails, and how; what is left out goes with its status. A rule of the script may be one, too. */
export interface Failure {
	status: number;
	code?: string;
	message?: string;
	envelope?: Envelope;
	headers?: Record<string, string>;
	/** Further elements of the upload host's XML. */
	elements?: Record<string, string>;
}

/** A 'no' of the service, thrown by whoever finds the reason. The codes are those of CometChat's public tables. */
export class Refusal extends Error {
	constructor(readonly failure: Failure) {
		super(failure.message);
	}
}

/** What the service says to what is not as its documentation asks. */
export function badRequest(message: string): Refusal {
	return new Refusal({ status: 400, message, envelope: 'agentService' });
}

export function noSuchRecord(uniqueId: string): Refusal {
	const message = `Knowledge base record with uniqueId ${uniqueId} not found`;
	return new Refusal({ status: 404, code: 'ERR_KB_NOT_FOUND', message });
}

/** What the gateway answers itself, before the agent service sees the request. */
const OF_GATEWAY: Record<number, string> = {
	401: 'AUTH_ERR_APIKEY_NOT_FOUND',
	403: 'AUTH_ERR_NO_ACCESS',
	429: 'ERR_TOO_MANY_REQUESTS',
};

/** The JSON body of a failure. @param usual The envelope of what the gateway lets through. */
export function failureBody({ status, ...given }: Failure, usual: Envelope): object {
	const itsOwn = status === 404 ? 'ERR_AGENT_NOT_FOUND' : 'ERR_BAD_REQUEST';
	const {
		code = OF_GATEWAY[status] ?? (status < 500 ? itsOwn : 'ERR_EXCEPTION'),
		message = `The stand-in was told to answer ${status}.`,
		envelope = status in OF_GATEWAY ? 'gateway' : usual,
	} = given;
	return envelope === 'gateway'
		? { error: { message, devMessage: message, source: 'chat-api', code } }
		: { statusCode: status, message, error: STATUS_CODES[status] };
}
