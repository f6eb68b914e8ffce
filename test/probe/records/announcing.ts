import { inBrief, isSuccessStatus } from '../asking';
import type { Verdict } from '../finding';
import { couldNotTell, doesNotHold, holds } from '../finding';
import type { Question } from '../question';
import type { Session } from '../session';
import type { MadeUpload } from './making';
import { announce, documentNamed, nameOf, notDone, withFilesMade } from './making';
import { announcedFields } from './recordRequests';

export const announcing: Question = {
	question: 11,
	title: 'Announcing uploads',
	choice: 'takes any 2xx with an uploadId and a presignedUrl for each file, in the order asked',
	ask: withFilesMade(async (session) => {
		const { made } = session;
		const [verdict, [first, second]] = await announced(session, 'a TXT and an MD file', [
			'first.txt',
			'second.md',
		]);
		made.first = first;
		made.second = second;
		return verdict;
	}),
};

export const fileTypes: Question = {
	question: 12,
	title: 'Types of files',
	choice:
		'announces PDF, DOCX and CSV with their usual types, TXT as text/plain, MD as text/markdown',
	ask: withFilesMade(async (session) => {
		if (session.made.first === undefined) return couldNotTell('no file could be announced at all');
		const endings = ['pdf', 'docx', 'csv'];
		const names = endings.map((ending) => `never-sent.${ending}`);
		const [verdict] = await announced(session, 'a PDF, a DOCX and a CSV file', names);
		return verdict;
	}),
};

export const sameName: Question = {
	question: 13,
	title: 'Two uploads of one name',
	choice: 'uploads a new version beside the old one, and then counts on two IDs',
	ask: withFilesMade(async (session) => {
		const { made } = session;
		if (made.first === undefined) return couldNotTell('there is no upload whose name to repeat');
		const [verdict, [namesake]] = await announced(session, 'another file of the first name', [
			'first.txt',
		]);
		if (namesake === undefined) return verdict;
		if (namesake.id === made.first.id) {
			return doesNotHold('the second one has the ID of the first');
		}
		made.namesake = namesake;
		return holds('allowed, each has an ID of its own');
	}),
};

/** Announces small files that are named like this. */
async function announced(
	session: Session,
	what: string,
	names: string[],
): Promise<[Verdict, MadeUpload[]]> {
	const files = names.map((name) => documentNamed(nameOf(session, name)));
	const { reply, uploads } = await announce(session, `announces ${what}`, files);
	if (!isSuccessStatus(reply)) return [notDone(`${what} can't be announced`, reply), []];
	if (uploads === undefined) {
		return [doesNotHold(`${inBrief(reply)}, but it holds ${announcedFields(reply)}`), []];
	}
	return [holds(`${inBrief(reply)}, an address for each, in the order asked`), uploads];
}
