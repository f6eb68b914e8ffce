import { quoted } from '../../values/quoting';
import { UserError, readable } from '../../values/userError';

/** Which addresses count: those that contain one of `include`, if there are any, and none of `exclude`. */
export interface Selection {
	include: string[];
	exclude: string[];
}

/** As CometChat compares them, by its pages: a part of the address, letter by letter. */
export function matchesSelection(address: string, { include, exclude }: Selection): boolean {
	const contains = (part: string) => address.includes(part);
	return (include.length === 0 || include.some(contains)) && !exclude.some(contains);
}

/** Ours: more than that is a list of pages. */
const MOST_ADDRESS_PARTS = 100;

/** With blank lines and repetitions: a text of megabytes is not split at once. */
const MOST_ENTRIES = 1000;

/** Reads parts of addresses: a list of texts, or a text with one on each line or between commas. */
export function readAddressParts(label: string, value: unknown): string[] {
	return readable(`'${label}'`, () => {
		const entries: unknown[] =
			typeof value === 'string' ? value.split(/[\n,]/, MOST_ENTRIES + 1) : [value].flat();
		if (entries.length > MOST_ENTRIES) throw tooMany(label);
		const parts = new Set<string>();
		for (const entry of entries) {
			if (entry === undefined || entry === null) continue;
			if (typeof entry !== 'string') throw partsIssue(label, 'holds something that is not a text');
			const part = entry.trim();
			if (part === '') continue;
			if (/[*^$]/.test(part)) {
				throw partsIssue(
					label,
					`holds ${quoted(part)}, and * or another wildcard is not known here`,
				);
			}
			parts.add(part);
		}
		if (parts.size <= MOST_ADDRESS_PARTS) return [...parts];
		throw tooMany(label);
	});
}

function tooMany(label: string): UserError {
	return partsIssue(label, `holds more than ${MOST_ADDRESS_PARTS} parts`);
}

function partsIssue(label: string, what: string): UserError {
	return new UserError(
		`'${label}' ${what}`,
		'Give parts of addresses, one on each line, for example /help/: a page counts if its address contains one of them.',
	);
}
