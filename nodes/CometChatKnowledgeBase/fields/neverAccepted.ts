import { UserError } from '../text/failure';
import { joinLimited, quoted } from '../text/quoting';
import type { FileInfo } from './fileInfo';
import {
	ACCEPTS,
	CONVERT,
	extensionOf,
	isAcceptedType,
	isDataType,
	NOT_A_DOCUMENT,
} from './fileType';

/*
 * Files that CometChat never accepts, whatever their content. The first matching row decides.
 *
 * | Kind   | File                                                         | `*`         | Named field | Sync Files          |
 * | ------ | ------------------------------------------------------------ | ----------- | ----------- | ------------------- |
 * | system | ~$…, .~lock.…#, a name with a dot first, desktop.ini, Thumbs.db | is left out | fails       | skips it            |
 * | type   | neither its extension nor its MIME type is accepted          | is left out | fails       | skips it            |
 * | empty  | it has no bytes                                              | is left out | fails       | skips it            |
 * | size   | it is larger than 50 MB                                      | is left out | fails       | skips it, and warns |
 *
 * A web page, JSON or XML with another extension is not in the table: a server may have returned it instead of the
 * file.
 */

export type Kind = 'system' | 'type' | 'empty' | 'size';

/** 50 MB in its smaller meaning (https://www.cometchat.com/docs/rest-api/ai-agents-apis/properties-and-constraints). */
const LARGEST_BYTES = 50_000_000;

/** CometChat's dashboard accepts 10 files of 15 MB each, and its API page 50 MB: it is unknown which limit applies. */
const DASHBOARD_BYTES = 15_000_000;

/** Warns of a large file that only CometChat's API page allows. A warning for each CSV and MD file would be noise. */
export function warnIfLarge(
	{ fileName, fileSize }: FileInfo,
	item: { warn(text: string): void },
): void {
	if (fileSize <= DASHBOARD_BYTES) return;
	item.warn(
		`If the agent doesn't answer from ${quoted(fileName)}, split the file: it is larger than 15 MB. CometChat's dashboard accepts only PDF, DOCX and TXT files of up to 15 MB. CometChat's API page allows 50 MB`,
	);
}

/**
 * Office and LibreOffice lock files, hidden files of Unix and macOS, and files that Windows adds to folders. A name
 * such as `.pdf` is a document with an empty name.
 */
const SYSTEM_FILE = /^(?:~\$|\.(?!(?:pdf|docx|txt|csv|md)$))|^(?:desktop\.ini|thumbs\.db)$/i;

/** The extensions of files that are intentionally web pages, JSON or XML. */
const PAGE_EXTENSION = /^(?:html?|shtml|xhtml?|xht|json|geojson|map|xml|xsl|xsd|rng)$/;

/** The facts about a file before it is read. */
interface FileFacts {
	/** The file's own name, also if it gets another name in CometChat. */
	ownName: string;
	/** The name for CometChat. */
	fileName: string;
	mimeType: string;
	/** In bytes; left out if it is unknown. */
	fileSize?: number;
}

/** Returns why CometChat never accepts a file; undefined if it may be accepted. */
export function rejectionOf(file: FileFacts): Kind | undefined {
	const { ownName, fileSize } = file;
	if (SYSTEM_FILE.test(baseName(ownName))) return 'system';
	if (!isAcceptedType(file)) {
		const isPage = PAGE_EXTENSION.test(extensionOf(file.fileName) ?? '');
		return isDataType(file.mimeType) && !isPage ? undefined : 'type';
	}
	if (fileSize === 0) return 'empty';
	return fileSize !== undefined && fileSize > LARGEST_BYTES ? 'size' : undefined;
}

function baseName(name: string): string {
	return name.trim().replace(/^.*[/\\]/s, '');
}

/** A file of an item that CometChat never accepts. */
export interface RejectedFile {
	kind: Kind;
	/** The binary field of the file. */
	field: string;
	/** Empty if the file has no name. */
	name: string;
}

/** The reason, as a clause after the name of a file, and the advice. */
const REASONS: Record<Kind, { why: string; remedy: string }> = {
	system: {
		why: 'is a temporary, hidden or system file',
		remedy:
			'Remove this file before this node, for example with a Filter node. It is not a document.',
	},
	type: { why: NOT_A_DOCUMENT, remedy: CONVERT },
	empty: {
		why: 'is empty',
		remedy:
			'Open the original file. If it has content, the previous node did not receive the content.',
	},
	size: {
		why: 'is larger than 50 MB',
		remedy: `Split the file, or make it smaller. ${ACCEPTS}`,
	},
};

/** The failure of an item without any file that CometChat accepts. */
export class NoAcceptedFile extends UserError {
	/** @param files At least one file. */
	constructor(readonly files: RejectedFile[]) {
		const [file, another] = files;
		const names = files.flatMap(({ name }) => (name === '' ? [] : name)).join(', ');
		const isOne = file !== undefined && another === undefined;
		super(
			isOne
				? `The file in '${file.field}', ${file.name === '' ? 'without a name' : quoted(file.name)}, ${REASONS[file.kind].why}`
				: `CometChat accepts none of the item's ${files.length} files: ${joinLimited(files.map(clauseFor))}`,
			isOne ? REASONS[file.kind].remedy : NONE_LEFT,
			{ fileName: names || undefined },
		);
	}

	/** The reason, as a clause with a subject. */
	get clause(): string {
		const [file, another] = this.files;
		return file && !another ? `it ${REASONS[file.kind].why}` : this.title;
	}

	/** Whether a file is too large: it may be a document that the user misses. */
	get hasTooLarge(): boolean {
		return this.files.some(({ kind }) => kind === 'size');
	}
}

/** Describes a file and the reason why it is not accepted. */
function clauseFor({ kind, name, field }: RejectedFile): string {
	return `${quoted(name || field)} ${REASONS[kind].why}`;
}

const NONE_LEFT = `If some items have no documents, remove them with a Filter node. ${ACCEPTS}`;

/** Returns a row with the files that `*` left out, and adds the notes on a file above the output. */
export function withNotes<Row extends object>(
	row: Row,
	{ leftOut, remarks }: { leftOut: RejectedFile[]; remarks: string[] },
	item: { remark(text: string): void; warn(text: string): void },
): Row & { leftOut?: Array<{ name: string; reason: string }> } {
	for (const text of remarks) item.remark(text);
	if (leftOut.length === 0) return row;
	for (const file of leftOut) {
		const note = `Left out: ${clauseFor(file)}`;
		// A document that is too large is missing in CometChat, and nothing else reports this.
		if (file.kind === 'size') item.warn(note);
		else item.remark(note);
	}
	const rows = leftOut.map(({ kind, name, field }) => {
		return { name: name || field, reason: `The file ${REASONS[kind].why}` };
	});
	return { ...row, leftOut: rows };
}
