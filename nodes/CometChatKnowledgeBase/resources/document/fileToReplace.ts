import type { Option } from '../../fields/field';
import type { Batch } from '../../delivery/delivery';
import type { ExistingDocument } from '../../delivery/plan';
import type { Documents } from '../../delivery/documents';
import { newestFirst } from '../../delivery/documents';
import type { Agent } from '../../api/agents';
import type { Document } from '../../api/documents';
import { UserError } from '../../text/failure';
import { isRecord } from '../../text/json';
import { normalizeName } from '../../text/names';
import { joinLimited, quoted } from '../../text/quoting';
import { UPLOADS } from '../../text/sourceTypes';
import { foundNothing, isNothing, readText } from '../../text/text';

const LABEL = "'File to Replace'";

const ENTER =
	'Choose the file from the list, or enter its name or ID. Prices* finds the file whose name begins with Prices.';

/** The shortest beginning of a name, because an expression that found nothing may leave a shorter text. */
const SHORTEST_BEGINNING = 3;

/** The file to replace: a name, the beginning of a name and `*`, or an ID. */
export const fileToReplace: Option<string | undefined> = {
	property: {
		displayName: 'File to Replace',
		name: 'fileToReplace',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose the file…',
				typeOptions: { searchListMethod: 'searchUploads', searchable: true },
			},
			{
				displayName: 'By Name or ID',
				name: 'name',
				type: 'string',
				hint: 'End with * to match the beginning of the name, for example Prices*',
				placeholder: 'e.g. price-list.pdf',
			},
		],
		description:
			"The agent's file that the new file replaces. Use this option if the new file has another name. All matching files must have one name. If no file matches, the item fails. A file from the list can be replaced only once. In a published workflow, use 'By Name or ID' with *, for example prices*.",
	},
	ifNotSet: undefined,
	read: (value) => {
		// An expression for the whole field returns a text.
		const text = normalizeName(readText(isRecord(value) ? value.value : value, LABEL, ENTER));
		if (text === '') throw new UserError(`${LABEL} is empty`, ENTER);
		const beginning = beginningOf(text)?.trim();
		if (isNothing(beginning ?? text)) throw foundNothing(LABEL, text);
		if (beginning === undefined || beginning.length >= SHORTEST_BEGINNING) return text;
		throw new UserError(
			`${LABEL} is ${quoted(text)}, with fewer than three characters before *`,
			'Enter more of the name before *. With an expression, check that it finds a value.',
		);
	},
};

/** Returns the agent's files to replace, newest first: at least one, and all with the same name. @throws UserError */
export async function findFilesToReplace(
	{ snapshot }: Batch,
	agent: Agent,
	wanted: string,
): Promise<ExistingDocument[]> {
	const { documents } = snapshot;
	const found = await snapshot.existing(uploadsNamed(documents, wanted), UPLOADS, agent);
	const old = found.filter(({ isAttached }) => isAttached !== false);
	const names = [...new Set(old.map(({ name = '' }) => normalizeName(name)))];
	if (names.length === 0) throw notFound(agent, wanted, ownNames(documents, agent));
	if (names.length > 1) throw severalNames(names, wanted);
	return old;
}

function uploadsNamed(documents: Documents, wanted: string): Document[] {
	const withId = documents.withId(wanted);
	if (withId?.type === UPLOADS) return [withId];
	const beginning = beginningOf(wanted);
	if (beginning === undefined) return documents.named(UPLOADS, wanted);
	const isMatch = ({ type, sourceName = '' }: Document) =>
		type === UPLOADS && normalizeName(sourceName).startsWith(beginning);
	return newestFirst(documents.all().filter(isMatch));
}

function beginningOf(wanted: string): string | undefined {
	return wanted.endsWith('*') ? wanted.slice(0, -1) : undefined;
}

/** Returns the names of the agent's uploaded files, because the wanted name may be mistyped. */
function ownNames(documents: Documents, { files = [] }: Agent): string[] {
	return files.flatMap((id) => {
		const { sourceName = id, type } = documents.withId(id) ?? {};
		return type === UPLOADS ? [quoted(sourceName)] : [];
	});
}

function notFound({ name, uid }: Agent, wanted: string, own: string[]): UserError {
	return new UserError(
		`The agent ${quoted(name ?? uid)} has no uploaded file ${quoted(wanted)}`,
		`Check 'Agent' and ${LABEL}. If it was replaced by a file with another name, choose the new file. To find each new version, use 'By Name or ID' with *. If the file is new to the agent, remove ${LABEL} under Options.`,
		{
			cause: 'configuration-invalid',
			...(own.length > 0 && { detail: `The agent has the files ${joinLimited(own)}.` }),
		},
	);
}

/** The error for several names: files with different names are not versions of one file. */
function severalNames(names: string[], wanted: string): UserError {
	return new UserError(
		`${LABEL} is ${quoted(wanted)}, and the agent has ${names.length} files with different names that match`,
		`Enter more of the name in ${LABEL}, or choose the file from the list.`,
		{ cause: 'configuration-invalid', detail: `The files are: ${joinLimited(names.map(quoted))}.` },
	);
}
