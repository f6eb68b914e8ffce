import { str as checksumOf } from 'crc-32';
import type { Truth } from './truth';
import { documentsOf } from './truth';

/** Something that a person wants to be so. */
export interface Fact {
	/** What it is about: facts of one key may contradict each other. */
	about: string;
	title: string;
	isSo(truth: Truth): boolean;
	/** Whether it has to be so before anything is taken in its place. */
	comesFirst?: boolean;
	/** Whether it is so of one execution alone: of two at once, each leaves its own for the next one. */
	isOfOne?: boolean;
	/** What the item says where it is not so, and everybody knows. */
	unlessSaid?: RegExp;
}

/** The agent can answer from a document of this name, with this content. */
export function knows(uid: string, name: string, content?: string): Fact {
	return {
		about: name,
		title: `${uid} knows "${name}"`,
		comesFirst: true,
		isSo: (truth) =>
			documentsOf(truth, uid).some(
				(one) => one.name === name && [undefined, one.content].includes(content),
			),
	};
}

/** Of this name the agent has no more than one document. */
export function knowsOnce(uid: string, name: string): Fact {
	return {
		about: name,
		title: `${uid} has "${name}" once`,
		isOfOne: true,
		isSo: (truth) => documentsOf(truth, uid).filter((one) => one.name === name).length === 1,
	};
}

export function has(uid: string, id: string): Fact {
	return {
		about: `${uid} ${id}`,
		title: `${uid} has ${id}`,
		isSo: ({ attached }) => attached.get(uid)?.includes(id) ?? false,
	};
}

export function lacks(uid: string, id: string): Fact {
	return { ...has(uid, id), title: `${uid} lacks ${id}`, isSo: (one) => !has(uid, id).isSo(one) };
}

export function isGone(id: string): Fact {
	return { about: id, title: `${id} is gone`, isSo: ({ documents }) => !documents.has(id) };
}

/** CometChat has it, with this content. */
export function isThere(name: string, content?: string): Fact {
	return {
		about: name,
		title: `"${name}" is there`,
		isSo: (truth) =>
			documentsOf(truth).some(
				(one) => one.name === name && [undefined, one.content].includes(content),
			),
	};
}

/** CometChat has nothing of this name, which another file in the item of a document has. */
export function isNotThere(name: string, document: string): Fact {
	return {
		about: document,
		title: `"${name}" is not there`,
		isSo: (truth) => documentsOf(truth).every((one) => one.name !== name),
	};
}

/** Never so: the file must not be sent. */
export function isRefused(name: string): Fact {
	return { about: name, title: `"${name}" is refused`, isSo: () => false };
}

export function says(id: string, text: string): Fact {
	return {
		about: id,
		title: `${id} says "${text}"`,
		isSo: ({ documents }) => documents.get(id)?.content === text,
	};
}

/** One website of the address has read all of these pages: of the agent, if one is named. */
export function hasRead(name: string, urls: string[], uid?: string): Fact {
	return {
		about: name,
		title: `of ${name} was read${uid === undefined ? '' : `, and ${uid} has`}: ${urls.join(' ')}`,
		comesFirst: true,
		unlessSaid: /didn't report that the crawl/,
		isSo: (truth) =>
			documentsOf(truth, uid).some(
				(one) => one.name === name && urls.every((url) => one.read.includes(url)),
			),
	};
}

export function isAgent(name: string): Fact {
	return {
		about: name,
		title: `there is an agent "${name}"`,
		isSo: ({ agents }) => agents.includes(name),
	};
}

export function isNoAgent(uid: string): Fact {
	return { about: uid, title: `${uid} is no agent`, isSo: ({ attached }) => !attached.has(uid) };
}

/** As `Document.content` has it. */
export function contentOf(text: string): string {
	return String(checksumOf(text));
}
