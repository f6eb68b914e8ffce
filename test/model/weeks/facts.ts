import { str as checksumOf } from 'crc-32';
import type { Truth } from './truth';
import { documentsOf } from './truth';

export interface Fact {
	/** The subject. Facts with the same subject may contradict each other. */
	about: string;
	title: string;
	isSo(truth: Truth): boolean;
	/** Whether it must be true before the old documents are removed. */
	comesFirst?: boolean;
	/** Whether it only holds for a single execution: of two at the same time, each leaves its document. */
	isOfOne?: boolean;
	/** The words of the item that make a false fact acceptable. */
	unlessSaid?: RegExp;
}

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

/** CometChat has no document with this name, which another file of the document's item has. */
export function isNotThere(name: string, document: string): Fact {
	return {
		about: document,
		title: `"${name}" is not there`,
		isSo: (truth) => documentsOf(truth).every((one) => one.name !== name),
	};
}

/** A fact that is never true, because the file must not be sent. */
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

/** One website with the URL has indexed all of these pages; of the agent, if there is one. */
export function hasRead(name: string, urls: string[], uid?: string): Fact {
	return {
		about: name,
		title: `of ${name} was read${uid === undefined ? '' : `, and ${uid} has`}: ${urls.join(' ')}`,
		comesFirst: true,
		unlessSaid: /didn't report the end of the crawl/,
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

/** Returns the `Document.content` of a file. */
export function contentOf(text: string): string {
	return String(checksumOf(text));
}
