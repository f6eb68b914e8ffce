import type { Asker } from '../asking';
import { isSuccessStatus } from '../asking';
import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import type { Verdict } from '../finding';
import { couldNotTell, doesNotHold, holds } from '../finding';
import type { Question } from '../question';
import type { MadeUpload } from './making';
import { CONTENT, withFilesMade } from './making';
import { storageBrief } from './storageAnswer';

const NOT_ANNOUNCED = couldNotTell('no upload address was given');
const NOT_ENCRYPTED = couldNotTell('bytes are not sent to an address that is not encrypted');

export const uploadAddress: Question = {
	question: 14,
	title: 'Upload address',
	choice: 'sends bytes to https:// only, wherever it leads, and takes the address for a secret',
	ask: withFilesMade(async ({ asker, made: { first } }) =>
		first === undefined ? NOT_ANNOUNCED : addressVerdict(asker, first),
	),
};

/** In words of its own: nothing of the address may be shown. */
function addressVerdict(asker: Asker, upload: MadeUpload): Verdict {
	const { address } = upload;
	const { account } = asker.given;
	if (!URL.canParse(address)) return doesNotHold('it is no complete address');
	const { protocol, host, searchParams } = new URL(address);
	const where = host === new URL(account.baseUrl).host ? 'the same host' : 'another host';
	if (protocol !== 'https:') {
		return maySendTo(asker, upload)
			? couldNotTell('it is not encrypted, and neither is this service itself')
			: doesNotHold(`it is not encrypted, and leads to ${where}`);
	}
	const ofQuery = (name: string) => {
		const found = [...searchParams].find(([given]) => given.toLowerCase() === name);
		return found?.[1] ?? '';
	};
	const seconds = Number(ofQuery('x-amz-expires'));
	const holdsFor = seconds > 0 ? `holds for ${seconds} s` : 'does not say how long it holds';
	return holds(`encrypted, ${where}; ${holdsFor}; ${signedWords(ofQuery('x-amz-signedheaders'))}`);
}

/** The headers that the node sends, or the HTTP client for it. */
const SENT: Record<string, string> = {
	host: 'the host',
	'content-type': 'the type',
	'content-length': 'the length',
};

function signedWords(signedHeaders: string): string {
	const names = signedHeaders
		.toLowerCase()
		.split(';')
		.filter((name) => name !== '');
	if (names.length === 0) return 'it does not say which headers it wants';
	const known = names.flatMap((name) => (Object.hasOwn(SENT, name) ? [SENT[name]] : []));
	const others = names.length - known.length;
	const more = others === 0 ? '' : ` and ${others} that the node does not send`;
	return `its signature covers ${known.join(', ')}${more}`;
}

export const sendingBytes: Question = {
	question: 15,
	title: 'Sending the bytes',
	choice: 'sends PUT with the announced type and length, and no other header',
	ask: withFilesMade(async ({ asker, made: { first } }) => {
		if (first === undefined) return NOT_ANNOUNCED;
		if (!maySendTo(asker, first)) return NOT_ENCRYPTED;
		const reply = await sendBytes(asker, 'sends the bytes of the first file', first);
		if (isSuccessStatus(reply)) return holds(`PUT with type and length: ${storageBrief(reply)}`);
		const brief = `PUT with type and length is refused (${storageBrief(reply)})`;
		if (reply.kind === 'silence' || reply.status >= 500) return couldNotTell(brief);
		const bare = await sendBytes(asker, 'the same without a type', first, null);
		return doesNotHold(
			isSuccessStatus(bare)
				? `${brief}, and without a type it is taken`
				: `${brief}, and also without a type (${storageBrief(bare)})`,
		);
	}),
};

export const sendingTwice: Question = {
	question: 16,
	title: 'Sending the bytes twice',
	choice: 'sends them again after a lost answer, and then takes 412 for stored',
	ask: withFilesMade(async ({ asker, made: { first } }) => {
		if (!first?.isStored) return couldNotTell('no bytes were taken the first time');
		const reply = await sendBytes(asker, 'sends the same bytes again', first);
		const brief = storageBrief(reply);
		if (isSuccessStatus(reply)) return holds(`taken again: ${brief}`);
		if (reply.kind === 'silence' || reply.status >= 500) return couldNotTell(brief);
		return reply.status === 412
			? holds(brief)
			: doesNotHold(`${brief}: after a lost answer it ends as a failure of unknown effect`);
	}),
};

/** As the node decides: without encryption only where the service itself is on this machine. */
export function maySendTo({ given: { account } }: Asker, { address }: MadeUpload): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, hostname } = new URL(address);
	const service = new URL(account.baseUrl);
	return protocol === 'https:' || (protocol === service.protocol && hostname === service.hostname);
}

export async function sendBytes(
	asker: Asker,
	asked: string,
	upload: MadeUpload,
	type: string | null = upload.info.mimeType,
): Promise<Reply> {
	const { address } = upload;
	const headers = {
		...(type === null ? {} : { 'Content-Type': type }),
		'Content-Length': String(CONTENT.length),
	};
	const reply = await asker.store(asked, { method: 'PUT', url: address, headers, body: CONTENT });
	upload.isStored ||= isSuccessStatus(reply);
	return reply;
}
