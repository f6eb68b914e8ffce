import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { inBrief, isSuccessStatus } from '../client';
import type { Context, Upload } from '../context';
import {
	announce,
	documentNamed,
	maySendTo,
	nameOf,
	newestRecords,
	notDone,
	poll,
	sendBytes,
} from '../context';
import type { Verdict } from '../question';
import { couldNotTell, doesNotHold, holds, question } from '../question';

type Announcement = Awaited<ReturnType<typeof announce>>;

async function announceNamed(context: Context, what: string, ...names: string[]) {
	const files = names.map((name) => documentNamed(nameOf(context, name)));
	return await announce(context, `announces ${what}`, files);
}

function announcementVerdict({ reply, uploads }: Announcement): Verdict {
	if (!isSuccessStatus(reply)) return notDone("they can't be announced", reply);
	if (uploads !== undefined) return holds(`${inBrief(reply)}, an address for each, in that order`);
	const body = reply.kind === 'response' && isRecord(reply.body) ? reply.body : {};
	return doesNotHold(`${inBrief(reply)}, but it holds {${Object.keys(body).join(', ')}}`);
}

export const announcing = question({
	id: 'announcing',
	asks: 'Announcing uploads',
	choice: 'takes any 2xx with an uploadId and a presignedUrl for each file, in the order asked',
	needs: ['files allowed'],
	async run(context) {
		const announced = await announceNamed(
			context,
			'a TXT and an MD file',
			'first.txt',
			'second.md',
		);
		[context.first, context.second] = announced.uploads ?? [];
		return announced;
	},
	judge: announcementVerdict,
});

export const fileTypes = question({
	id: 'file-types',
	asks: 'Types of files',
	choice:
		'announces PDF, DOCX and CSV with their usual types, TXT as text/plain, MD as text/markdown',
	needs: ['files allowed', 'upload'],
	async run(context) {
		const names = ['broken.pdf', 'never-sent.docx', 'never-sent.csv'];
		const announced = await announceNamed(context, 'a PDF, a DOCX and a CSV file', ...names);
		context.broken = announced.uploads?.[0];
		return announced;
	},
	judge: announcementVerdict,
});

export const sameName = question({
	id: 'same-name',
	asks: 'Two uploads of one name',
	choice: 'uploads a new version beside the old one, and then counts on two IDs',
	needs: ['files allowed', 'upload'],
	async run(context) {
		const announced = await announceNamed(context, 'another file of the first name', 'first.txt');
		context.namesake = announced.uploads?.[0];
		return announced;
	},
	judge(announced, { first, namesake }) {
		if (namesake === undefined) return announcementVerdict(announced);
		return namesake.id === first?.id
			? doesNotHold('the second one has the ID of the first')
			: holds('allowed, each has an ID of its own');
	},
});

export const uploadAddress = question({
	id: 'upload-address',
	asks: 'Upload address',
	choice: 'sends bytes to https:// only, wherever it leads, and takes the address for a secret',
	needs: ['files allowed', 'upload'],
	/** Asks nothing: the address has come before. */
	run: async ({ first }) => first,
	judge: (first, context) =>
		first === undefined ? couldNotTell('there is none') : addressVerdict(context, first),
});

/** In words of its own: nothing of the address may be shown. */
function addressVerdict(context: Context, upload: Upload): Verdict {
	if (!URL.canParse(upload.address)) return doesNotHold('it is no complete address');
	const { protocol, host, searchParams } = new URL(upload.address);
	const { baseUrl } = context.client.settings.account;
	const where = host === new URL(baseUrl).host ? 'the same host' : 'another host';
	if (protocol !== 'https:') {
		return maySendTo(context, upload)
			? couldNotTell('it is not encrypted, and neither is this service itself')
			: doesNotHold(`it is not encrypted, and leads to ${where}`);
	}
	const ofQuery = (name: string) =>
		[...searchParams].find(([given]) => given.toLowerCase() === name)?.[1] ?? '';
	const seconds = Number(ofQuery('x-amz-expires'));
	const holdsFor = seconds > 0 ? `holds for ${seconds} s` : 'does not say how long it holds';
	return holds(`encrypted, ${where}; ${holdsFor}; ${signedWords(ofQuery('x-amz-signedheaders'))}`);
}

/** What the node sends, or the HTTP client for it. */
const SENT = ['host', 'content-type', 'content-length'];

function signedWords(signedHeaders: string): string {
	const names = signedHeaders.toLowerCase().split(';');
	const known = SENT.filter((name) => names.includes(name));
	if (known.length === 0) return 'it does not say which headers it wants';
	const others = names.length - known.length;
	const more = others === 0 ? '' : ` and ${others} that the node does not send`;
	return `its signature covers ${known.join(', ')}${more}`;
}

const NOT_ENCRYPTED = couldNotTell('bytes are not sent to an address that is not encrypted');

export const sendingBytes = question({
	id: 'sending-bytes',
	asks: 'Sending the bytes',
	choice: 'sends PUT with the announced type and length, and no other header',
	needs: ['files allowed', 'upload'],
	async run(context) {
		const { first } = context;
		const typed = first && (await sendBytes(context, 'sends the bytes of the first file', first));
		if (first === undefined || typed?.kind !== 'response' || typed.status < 400) return { typed };
		return { typed, bare: await sendBytes(context, 'the same without a type', first, null) };
	},
	judge({ typed, bare }) {
		if (typed === undefined) return NOT_ENCRYPTED;
		if (isSuccessStatus(typed)) return holds(inBrief(typed));
		const brief = `PUT with type and length is refused (${inBrief(typed)})`;
		if (typed.kind === 'network failure' || typed.status >= 500 || !bare)
			return couldNotTell(brief);
		return doesNotHold(
			isSuccessStatus(bare)
				? `${brief}, and without a type it is taken`
				: `${brief}, and also without a type (${inBrief(bare)})`,
		);
	},
});

export const sendingTwice = question({
	id: 'sending-twice',
	asks: 'Sending the bytes twice',
	choice: 'sends them again after a lost answer, and then takes 412 for stored',
	needs: ['files allowed', 'upload', 'stored upload'],
	run: async (context) =>
		context.first && (await sendBytes(context, 'sends the same bytes again', context.first)),
	judge(reply) {
		if (reply === undefined) return NOT_ENCRYPTED;
		const brief = inBrief(reply);
		if (isSuccessStatus(reply)) return holds(`taken again: ${brief}`);
		if (reply.kind === 'network failure' || reply.status >= 500) return couldNotTell(brief);
		return reply.status === 412
			? holds(brief)
			: doesNotHold(`${brief}: after a lost answer it ends as a failure of unknown effect`);
	},
});

export const uploadsListed = question({
	id: 'uploads-listed',
	asks: 'Uploads in the list',
	choice: 'takes uploadId for the uniqueId, the file name for sourceName, and uploads for the type',
	needs: ['files allowed', 'stored upload'],
	run: async (context) => await newestRecords(context, 'records, after the uploads'),
	judge({ reply, records }, { first, namesake }) {
		if (records === undefined) return notDone('the list has no readable answer', reply);
		const record = records.find(({ uniqueId }) => uniqueId === first?.id);
		if (record === undefined) {
			return records.some(({ sourceName }) => sourceName === first?.info.fileName)
				? doesNotHold('its name is listed, with another ID than its uploadId')
				: doesNotHold('it is listed under neither its uploadId nor its name');
		}
		if (record.sourceName !== first?.info.fileName) {
			return doesNotHold('its uploadId is listed, and sourceName is not its file name');
		}
		if (record.type !== 'uploads') return doesNotHold(`its type is "${record.type}"`);
		// Replace File looks for an old version by its name, and must see that there are two.
		const isNamesakeListed = records.some(({ uniqueId }) => uniqueId === namesake?.id);
		return holds(
			`listed so; one of the same name without bytes is ${isNamesakeListed ? '' : 'not '}listed`,
		);
	},
});

export const withoutBytes = question({
	id: 'without-bytes',
	asks: 'An upload without bytes',
	choice: 'says that an entry without content may be there, and gives its ID',
	needs: ['files allowed', 'upload without bytes'],
	run: async (context) =>
		await poll(context, 'the status of an upload without bytes', context.namesake?.id ?? ''),
	judge({ reply, byId }, { namesake }) {
		if (byId === undefined) return notDone('the poll has no readable answer', reply);
		const status = byId.get(namesake?.id ?? '');
		return holds(status === undefined ? 'it has no status' : `its status is "${status}"`);
	},
});
