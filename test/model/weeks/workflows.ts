import type { INodeParameters } from 'n8n-workflow';
import fc from 'fast-check';

import type { Operation } from '../../../nodes/CometChatKnowledgeBase/operations/operation';
import type { TestFile } from '../../node/engine';
import { resources } from '../../../nodes/CometChatKnowledgeBase/resources/registry';
import { needed } from '../../node/operations';
import { maybe, oneIn } from '../drafting';
import { KNOWN_AGENTS } from '../serviceBehaviour';
import {
	contentOf,
	has,
	hasRead,
	isAgent,
	isGone,
	isNoAgent,
	isNotThere,
	isRefused,
	isThere,
	knows,
	knowsOnce,
	lacks,
	says,
} from './facts';
import type { Item, Workflow } from './story';
import { plain } from './truth';
import {
	ADDRESSES,
	FILE_IDS,
	NAMES,
	pagesAt,
	PREFIXES,
	PROOF,
	SITE_IDS,
	TEXT_IDS,
	TITLES,
	UNKNOWN_ID,
} from './world';

/** The generator of an operation's workflows; missing parameters have n8n's defaults. */
interface Draft<Drawn, Options extends INodeParameters> {
	/** The parameters with values from the items. */
	parameters: INodeParameters;
	options?: fc.Arbitrary<Options>;
	/** Fields with the same value for all items, in addition to the options. */
	fields?: fc.Arbitrary<INodeParameters>;
	drawn: fc.Arbitrary<Drawn>;
	item(drawn: Drawn, options: Options & INodeParameters): Item;
	/** Makes an item with the same subject as another item. */
	alike?(drawn: Drawn, other: Drawn): Drawn;
	/** Whether all items have the same options, because one of them applies to the whole execution. */
	sharesOptions?: boolean;
	grows?(options: Options & INodeParameters): boolean;
}

function drawnFrom<Drawn, Options extends INodeParameters>(
	draft: Draft<Drawn, Options>,
): (name: string) => fc.Arbitrary<Workflow> {
	const { parameters, options: someOptions, fields = fc.constant({}), drawn } = draft;
	const options = someOptions ?? fc.constant<Partial<Options>>({});
	return (name) =>
		fc
			.record({
				options,
				fields,
				drafts: fc.array(fc.record({ drawn, options }), { minLength: 1, maxLength: 3 }),
				areAlike: fc.boolean(),
				haveOwnOptions: oneIn(3, fc.constant(true)),
			})
			.map(({ options: ofAll, fields: more, drafts, areAlike, haveOwnOptions }) => {
				const [resource = '', operation = ''] = name.split('.');
				const { item, alike = (one) => one } = draft;
				const [first] = drafts;
				const own =
					haveOwnOptions && draft.sharesOptions !== true
						? withDefaults(
								name,
								drafts.map((one) => one.options),
							)
						: undefined;
				const sets = drafts.map((_, at): Options & INodeParameters =>
					JSON.parse(JSON.stringify({ ...(own?.[at] ?? ofAll), ...more })),
				);
				const items = drafts.map((one, at) => {
					const set = sets[at] ?? JSON.parse('{}');
					const made = item(areAlike && first ? alike(one.drawn, first.drawn) : one.drawn, set);
					return own ? { ...made, json: { ...made.json, options: own[at] } } : made;
				});
				const given = own ? byExpression(own[0] ?? {}) : JSON.parse(JSON.stringify(ofAll));
				return {
					resource,
					operation,
					parameters: { ...parameters, ...more, options: given },
					items,
					grows: sets.some((set) => draft.grows?.(set) ?? false),
				};
			});
}

/** Returns the options of each item with the same entries: missing entries get their defaults. */
function withDefaults(name: string, all: INodeParameters[]): INodeParameters[] {
	const operation = resources
		.flatMap(({ value, operations }) => operations.map((one) => ({ value, one })))
		.find(({ value, one }) => name === `${value}.${one.value}`);
	const keys = [...new Set(all.flatMap((one) => Object.keys(JSON.parse(JSON.stringify(one)))))];
	const defaultOf = (key: string) =>
		operation?.one.options.find(({ property }) => property.name === key)?.property.default;
	return all.map((one) => Object.fromEntries(keys.map((key) => [key, one[key] ?? defaultOf(key)])));
}

function byExpression(options: INodeParameters): INodeParameters {
	return Object.fromEntries(
		Object.keys(options).map((key) => [key, `={{ $json.options.${key} }}`]),
	);
}

/** A name and a text that a spreadsheet turns into a number. */
const NUMBER = '2025';

/** Returns a name as a spreadsheet would. */
const fromTable = (name: string) => (/^\d+$/.test(name) ? Number(name) : name);

const picked = (field: string) => ({ __rl: true, mode: 'id', value: `={{ $json.${field} }}` });

const agent = fc.oneof(
	{ weight: 12, arbitrary: fc.constantFrom(...KNOWN_AGENTS) },
	{ weight: 1, arbitrary: fc.constant('nobody') },
);
const isKnown = (uid: string) => KNOWN_AGENTS.includes(uid);

const AFTERWARDS = {
	waitUntilIndexed: '={{ $json.waits }}',
	addToAgent: '={{ $json.adds }}',
	uid: picked('agent'),
};
const afterwards = fc.record({
	waits: fc.constantFrom(true, true, false),
	uid: maybe(agent),
	lost: oneIn(10, fc.constantFrom<'waits' | 'adds'>('waits', 'adds')),
});
type Afterwards = {
	waits: boolean;
	uid?: string;
	/** The switch whose expression finds nothing. */
	lost?: 'waits' | 'adds';
};
const jsonOf = ({ waits, uid, lost }: Afterwards) => {
	const json = { waits, adds: uid !== undefined, agent: uid ?? 'unused' };
	return lost === undefined ? json : { ...json, [lost]: undefined };
};

/** Returns an item that does nothing if the expression of a switch finds nothing. */
function unlessLost(item: Item, { lost }: Afterwards): Item {
	if (lost === undefined) return item;
	const nothing = {
		wants: [isRefused(`without ${lost}`)],
		takes: [],
		deletes: false,
		mayFail: true,
	};
	return { ...item, takesAfter: undefined, shares: undefined, ...nothing };
}

const maxIndexingMinutes = maybe(fc.constant(1));
const content = fc.constantFrom('One', 'Two');

/** Texts with links; the last one is different each week. */
const linked = fc.constantFrom('One', 'See [it](https://a.example/?q=1&key=AIza "x").', '?sig=ab');
const saying = fc.oneof(
	{ weight: 2, arbitrary: linked },
	// Texts with other white space, and without letters.
	fc.constantFrom('Two', 'Week #', ' One\u00a0\n', '…', '9–17 :)'),
);
const SAID = '={{ $json.text.replace("#", $execution.id) }}';
const saidOf = (text: string) => {
	const isNew = text.includes('#');
	return { isNew, said: isNew ? undefined : plain(text) };
};
const file = (fileName: string, text: string) => ({
	data: { fileName, bytes: new TextEncoder().encode(text) },
});

/** Files in an item that CometChat never accepts, by binary field. */
const NEVER_ACCEPTED: Record<string, TestFile> = {
	attachment_0: { ...file('image001.png', 'A logo').data, mimeType: 'image/png' },
	attachment_1: file('~$notes.docx', 'Locked by Ann').data,
	thumbs: file('Thumbs.db', 'Thumbnails').data,
	zero: file('empty.txt', '').data,
	invoice: { ...file('invoice.xml', '<a/>').data, mimeType: 'application/xml' },
};
const others = fc.constantFrom<string[]>(
	['attachment_0'],
	['attachment_1', 'thumbs'],
	['zero'],
	['invoice', 'attachment_0'],
	[],
);

/** Returns the files of an item with one that CometChat accepts. */
const withOthers = (accepted: Record<string, TestFile>, fields: string[]) => ({
	...Object.fromEntries(
		fields.flatMap((one) =>
			NEVER_ACCEPTED[one] === undefined ? [] : [[one, NEVER_ACCEPTED[one]]],
		),
	),
	...accepted,
});
const areNotThere = (document: string, fields: string[]) =>
	fields.map((one) => isNotThere(NEVER_ACCEPTED[one]?.fileName ?? '', document));

const fileName = fc
	.record({ folder: oneIn(4, fc.constantFrom('11/', '12/')), name: fc.constantFrom(...NAMES) })
	.map(({ folder = '', name }) => `${folder}${name}`);
const nameSent = (name: string) => name.replace('/', ' - ');

/** The beginning of some of the names. */
const BEGINNING = `${NAMES[0]?.slice(0, 3)}*`;

/** The faults of a file that no operation may send. */
type Fault = 'page' | 'error' | 'type' | 'noName' | 'unfilled';
const fault = oneIn(6, fc.constantFrom<Fault>('page', 'error', 'type', 'noName', 'unfilled'));
const FAULTY: Record<Fault, Partial<TestFile>> = {
	page: { bytes: new TextEncoder().encode('<!DOCTYPE html><html><title>Sign in</title>') },
	error: { bytes: new TextEncoder().encode('{"error":{"code":401}}') },
	type: { mimeType: 'text/html' },
	noName: { fileName: '' },
	unfilled: { fileName: '=.txt' },
};

/** Returns an item whose file must not be sent, and which removes nothing. */
function refused(item: Item, name: string, reason: Fault): Item {
	const { data } = item.files ?? {};
	const files = data && { ...item.files, data: { ...data, ...FAULTY[reason] } };
	return {
		...item,
		files,
		wants: [isRefused(name)],
		takes: [],
		deletes: false,
		mayFail: true,
	};
}

/** Draws a document with a name, for an agent. */
const named = (names: string[], text: fc.Arbitrary<string>) =>
	fc.record({ name: fc.constantFrom(...names), text, then: afterwards });
type Named = { name: string; text: string; then: Afterwards };

/** The option with an ID, or with the beginning of some names. */
const fileToReplace = oneIn(4, fc.constantFrom(...FILE_IDS, BEGINNING));
const oldFiles = (old: string) =>
	old === BEGINNING ? NAMES.filter((name) => name.startsWith(old.slice(0, -1))) : [old];

const bringing = {
	options: fc.record({ maxIndexingMinutes }),
	fields: fc.record({
		ifNameExists: fc.constantFrom(
			...['add', 'replace', 'replace', 'replaceAndDelete', 'replaceAndDelete', 'skip', 'fail'],
		),
	}),
	// Replaced documents stay in CometChat.
	grows: ({ ifNameExists }: INodeParameters) =>
		ifNameExists === 'add' || ifNameExists === 'replace',
};

/** An old version whose users CometChat does not report is kept, and the row says so. */
const onceOrKept = (uid: string, name: string) => ({
	...knowsOnce(uid, name),
	unlessSaid: /"kept"/,
});

const ofOneName = (one: Named, { name }: Named) => ({ ...one, name });

/** Makes the item of Upload and 'Text: Create'. @param text The content; undefined: unknown. */
function brought(
	{ name, then: { waits, uid } }: Named,
	text: string | undefined,
	{ ifNameExists }: INodeParameters,
): Omit<Item, 'json'> {
	const deletes = ifNameExists === 'replaceAndDelete';
	const takesOut = uid !== undefined && (deletes || ifNameExists === 'replace');
	const said = ifNameExists === 'skip' ? undefined : text;
	const wants = [
		isThere(name, said),
		...(uid === undefined ? [] : [knows(uid, name, said)]),
		...(takesOut ? [onceOrKept(uid, name)] : []),
	];
	return {
		wants,
		uid,
		takes: takesOut || deletes ? [name] : [],
		deletes,
		mayFail: ifNameExists === 'fail' || !waits || (uid !== undefined && !isKnown(uid)),
	};
}

/** Draws some of the IDs, and rarely an unknown one. */
const someOf = (ids: string[]) =>
	fc
		.record({
			known: fc.subarray(ids, { minLength: 1, maxLength: 2 }),
			unknown: oneIn(8, fc.constant(UNKNOWN_ID)),
		})
		.map(({ known, unknown }) => (unknown === undefined ? known : [...known, unknown]));

const DOCUMENT_IDS = [...FILE_IDS, ...TEXT_IDS, ...SITE_IDS];
const kinds = fc.constantFrom(
	{ sourceType: 'uploads', ids: FILE_IDS },
	{ sourceType: 'text', ids: TEXT_IDS },
	{ sourceType: 'website', ids: SITE_IDS },
);
const documents = kinds.chain(({ sourceType, ids }) =>
	someOf(ids).map((drawn) => ({ sourceType, ids: drawn })),
);
const BY_ID = { sourceType: '={{ $json.sourceType }}', fileIds: '={{ $json.ids }}' };

const changing = (isAdd: boolean) =>
	drawnFrom({
		parameters: { ...BY_ID, pickedFiles: '={{ $json.ids }}', uid: picked('agent') },
		options: fc.record({ combineItems: maybe(fc.constant(true)) }),
		fields: fc.record({ filesBy: fc.constantFrom('ids', 'list') }),
		sharesOptions: true,
		drawn: fc.record({ documents, mixed: someOf(DOCUMENT_IDS), uid: agent }),
		item: ({ documents: { sourceType, ids: ofType }, mixed, uid }, { filesBy }) => {
			const ids = filesBy === 'list' ? mixed : ofType;
			return {
				json: { sourceType, ids, agent: uid },
				uid,
				wants: ids.map((id) => (isAdd ? has(uid, id) : lacks(uid, id))),
				takes: isAdd ? [] : ids,
				mayFail: !isKnown(uid) || ids.includes(UNKNOWN_ID),
			};
		},
	});

const deleting = drawnFrom({
	parameters: { fileIds: '={{ $json.ids }}' },
	fields: fc.record({ ifUsed: fc.constantFrom('fail', 'delete', 'delete') }),
	drawn: someOf(DOCUMENT_IDS),
	item: (ids, { ifUsed }) => ({
		json: { ids },
		wants: ids.map(isGone),
		takes: ids,
		deletes: true,
		takesFromAll: ifUsed === 'delete',
		// In the second week, the documents are deleted.
		mayFail: true,
	}),
});

const website = fc.constantFrom(...SITE_IDS);

/** Makes an item that only reads documents. */
const looking = (
	parameters: INodeParameters,
	ids: fc.Arbitrary<string>,
	fields?: fc.Arbitrary<INodeParameters>,
) =>
	drawnFrom({
		parameters,
		fields,
		drawn: ids,
		item: (id) => ({ json: { id }, wants: [], takes: [], mayFail: true }),
	});

const anyId = fc.constantFrom(...DOCUMENT_IDS, UNKNOWN_ID);
const filtered = fc.constantFrom<INodeParameters>(
	{},
	{ showAgents: true },
	{ filters: { attachedTo: 'none' } },
	{ filters: { attachedTo: 'any', nameContains: '1' }, returnAll: true },
);

const crawling = drawnFrom({
	parameters: {
		...AFTERWARDS,
		url: '={{ $json.url }}',
	},
	fields: fc.record({
		pages: fc.constantFrom({}, {}, { include: '/help/' }),
		ifSiteExists: fc.constantFrom(
			'skip',
			'skip',
			'refresh',
			'refresh',
			'refresh',
			'refresh',
			'fail',
		),
	}),
	// Slow or failing options would prove little.
	options: fc.record({
		maxIndexingMinutes: oneIn(5, fc.constant(1)),
	}),
	drawn: fc.record({
		address: fc.constantFrom(0, 0, 0, 2, 2, 2, 1, 3, 3).map((site) => ADDRESSES[site] ?? ''),
		prefix: fc.constantFrom(...PREFIXES),
		then: afterwards,
	}),
	// For several agents.
	alike: (one, { address, then }) => ({
		address,
		prefix: one.prefix,
		then: { ...one.then, uid: one.then.uid ?? KNOWN_AGENTS.find((uid) => uid !== then.uid) },
	}),
	item: ({ address, prefix, then }, { ifSiteExists, pages: chosen }) => {
		const { uid, waits } = then;
		const isAll = JSON.stringify(chosen) === '{}';
		const isWanted = ({ url }: { url: string }) => isAll || url.includes('/help/');
		const pages = pagesAt(address).filter((page) => page.fails === undefined && isWanted(page));
		const urls = pages.map(({ url }) => url);
		const item = {
			json: { url: address.replace('https://', prefix), ...jsonOf(then) },
			uid,
			shares: address,
			wants: [
				...(waits ? [hasRead(address, urls, uid)] : []),
				...(uid === undefined ? [] : [knows(uid, address)]),
				...(uid === undefined || !waits ? [] : [onceOrKept(uid, address)]),
			],
			takes: [address],
			takesAfter: [hasRead(address, urls, uid)],
			deletes: ifSiteExists === 'refresh',
			mayFail: ifSiteExists === 'fail' || (uid !== undefined && !isKnown(uid)),
		};
		return unlessLost(item, then);
	},
});

const questions = fc.record({
	uid: agent,
	question: fc.constantFrom('When are you open?', 'What does it cost?'),
});

const ANY_ID = [...FILE_IDS, ...TEXT_IDS, ...SITE_IDS, ...PROOF.flatMap((one) => one.ids)];

const FROM_TEXT = {
	...{ documentName: '={{ $json.documentName }}', text: '={{ $json.text }}' },
	startWithName: false,
};

/** Makes workflows of an operation without its own generator: its items name documents, which a change may remove. */
export function workflowsByFields({ fields, output }: Operation) {
	return drawnFrom({
		parameters: needed(fields, (kind) => `={{ $json["${kind}"] }}`),
		drawn: fc.record({
			...{ agent, file: anyId, site: website },
			text: fc.constantFrom(...TEXT_IDS, UNKNOWN_ID),
		}),
		item: (ids) => ({
			...{ json: ids, uid: ids.agent, wants: [], mayFail: true },
			takes: output.includes('action') ? ANY_ID : [],
		}),
	});
}

/** The generators of operations with wanted facts, except for Sync Folder, whose nights are in `../nights`. */
export const WORKFLOWS: Record<string, (name: string) => fc.Arbitrary<Workflow>> = {
	'document.upload': drawnFrom({
		...bringing,
		options: fc.record({ maxIndexingMinutes, fileToReplace }),
		fields: fc
			.record({ how: bringing.fields, contentFrom: fc.constantFrom('file', 'file', 'text') })
			.map(({ how, contentFrom }) => ({ ...how, contentFrom })),
		parameters: { ...AFTERWARDS, ...FROM_TEXT },
		drawn: fc.record({ name: fileName, text: content, then: afterwards, fault, others }),
		alike: (one, { name }) => ({ ...one, name }),
		item: (drawn, options) => {
			const isText = options.contentFrom === 'text';
			const name = isText ? drawn.name.replace('/', '-') : nameSent(drawn.name);
			const given = brought({ ...drawn, name }, contentOf(drawn.text), options);
			const old = String(options.fileToReplace ?? '');
			const item = {
				...given,
				takes: [...given.takes, ...(given.takes.length > 0 ? oldFiles(old) : [])],
				// The agent may use no such file, or several, and each item needs an agent and Replace.
				mayFail: given.mayFail || old !== '',
				wants: [...given.wants, ...areNotThere(name, drawn.others)],
				json: { ...jsonOf(drawn.then), documentName: drawn.name, text: drawn.text },
				files: withOthers(file(drawn.name, drawn.text), drawn.others),
			};
			const reason = isText ? undefined : drawn.fault;
			const sent = reason === undefined ? item : refused(item, name, reason);
			return unlessLost(sent, drawn.then);
		},
	}),
	'document.getMany': looking({}, anyId, filtered),
	'document.retryIndexing': looking({ fileIds: '={{ $json.id }}' }, anyId),
	'document.delete': deleting,
	'knowledgeBase.add': changing(true),
	'knowledgeBase.remove': changing(false),
	'text.create': drawnFrom({
		options: fc.record({ maxIndexingMinutes }),
		fields: fc.record({ ifTitleExists: fc.constantFrom('add', 'fail') }),
		grows: ({ ifTitleExists }: INodeParameters) => ifTitleExists === 'add',
		parameters: { ...AFTERWARDS, title: '={{ $json.title }}', text: SAID },
		drawn: named([...TITLES, NUMBER], saying),
		alike: ofOneName,
		item: (drawn, options) => {
			const item = {
				...brought(drawn, saidOf(drawn.text).said, { ifNameExists: options.ifTitleExists }),
				isNew: saidOf(drawn.text).isNew,
				json: { title: fromTable(drawn.name), text: drawn.text, ...jsonOf(drawn.then) },
			};
			return unlessLost(item, drawn.then);
		},
	}),
	'text.upsert': drawnFrom({
		parameters: { ...AFTERWARDS, title: '={{ $json.title }}', text: SAID },
		options: fc.record({ maxIndexingMinutes }),
		drawn: fc
			.record({ of: named([...TITLES, NUMBER], saying), space: fc.constantFrom(' ', '\u00a0') })
			.map(({ of, space }) => ({ ...of, title: of.name.replace(' ', space) })),
		alike: (one, { name, title }) => ({ ...one, name, title }),
		item: ({ name, title, text, then }) => {
			const item = {
				json: { title: fromTable(title), text, ...jsonOf(then) },
				uid: then.uid,
				isNew: saidOf(text).isNew,
				wants: [
					isThere(name, saidOf(text).said),
					...(then.uid === undefined ? [] : [knows(then.uid, name, saidOf(text).said)]),
				],
				// An older text entry with the title.
				takes: then.uid === undefined ? [] : [name],
				mayFail: name === TITLES[2] || (then.uid !== undefined && !isKnown(then.uid)),
			};
			return unlessLost(item, then);
		},
	}),
	'text.update': drawnFrom({
		parameters: {
			...AFTERWARDS,
			textId: picked('id'),
			updateFields: { text: '={{ $json.text }}' },
		},
		options: fc.record({ maxIndexingMinutes }),
		drawn: fc.record({
			id: fc.constantFrom(...TEXT_IDS),
			text: fc.oneof(linked, fc.constant(NUMBER)),
			then: afterwards,
		}),
		item: ({ id, text, then }) => {
			const item = {
				json: { id, text: fromTable(text), ...jsonOf(then) },
				uid: then.uid,
				wants: [says(id, text), ...(then.uid === undefined ? [] : [has(then.uid, id)])],
				takes: [],
				mayFail: then.uid !== undefined && !isKnown(then.uid),
			};
			return unlessLost(item, then);
		},
	}),
	'website.crawl': crawling,
	'agent.ask': drawnFrom({
		parameters: { uid: picked('agent'), question: '={{ $json.question }}', askAs: picked('asks') },
		options: fc.record({ keepMessages: maybe(fc.constant(true)) }),
		drawn: questions,
		item: ({ uid, question }) => ({
			json: { agent: uid, question, asks: 'checker' },
			wants: [],
			takes: [],
			mayFail: !isKnown(uid),
		}),
	}),
	'agent.create': drawnFrom({
		parameters: { name: '={{ $json.name }}' },
		drawn: fc.constantFrom('Helper', 'Guide', NUMBER),
		item: (name) => ({ json: { name: fromTable(name) }, wants: [isAgent(name)], takes: [] }),
		grows: () => true,
	}),
	'agent.update': drawnFrom({
		parameters: { uid: picked('agent'), updateFields: { name: '={{ $json.name }}' } },
		drawn: fc.record({ uid: agent, name: fc.constantFrom('Helper', 'Guide', NUMBER) }),
		item: ({ uid, name }) => ({
			json: { agent: uid, name: fromTable(name) },
			wants: [{ ...isAgent(name), about: uid }],
			takes: [],
			mayFail: !isKnown(uid),
		}),
	}),
	'agent.delete': drawnFrom({
		parameters: { uid: picked('agent') },
		drawn: agent,
		item: (uid) => ({
			json: { agent: uid },
			uid,
			wants: [isNoAgent(uid)],
			takes: ANY_ID,
			// In the second week, the agent is deleted.
			mayFail: true,
		}),
	}),
};
