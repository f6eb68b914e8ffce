import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { KNOWN_AGENTS } from '../agents';
import { maybe, oneIn } from '../options';
import { KINDS, oldVersion, ownId, SHARED_IDS, TEXT_NAME, TWINS, UNKNOWN_IDS } from './archive';
import type { FileDraft, Item, Operation, Replacement } from './scenario';

/** What an item holds, before it is known which one it is, and whether it may be flawed. */
export type Draft = (index: number, mayBeFlawed: boolean) => Item;

const ENDS = ['txt', 'pdf', 'md', 'csv'];

const agent = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom(...KNOWN_AGENTS) },
	{ weight: 1, arbitrary: fc.constant('nobody') },
);

const afterwards = fc.record({ waits: fc.boolean(), uid: maybe(agent) });

function jsonOf({ waits, uid }: { waits: boolean; uid?: string }): IDataObject {
	return { waits, adds: uid !== undefined, agent: uid ?? 'unused' };
}

const content = fc.record({
	size: fc.oneof(
		{ weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }) },
		{ weight: 2, arbitrary: fc.integer({ min: 1000, max: 9000 }) },
		// Several pieces on their way through a stream.
		{ weight: 1, arbitrary: fc.constant(150_001) },
	),
	kept: fc.constantFrom<FileDraft['kept']>('in memory', 'on disk'),
});

/** Rarely, where it is allowed. */
function flawedOr<Given>(
	flaws: Array<(index: number) => Item>,
	given: fc.Arbitrary<Given>,
	build: (given: Given, index: number) => Item,
): fc.Arbitrary<Draft> {
	return fc
		.record({ given, flaw: oneIn(2, fc.nat(flaws.length - 1)) })
		.map(({ given: drawn, flaw }) => (index: number, mayBeFlawed: boolean) => {
			const flawed = mayBeFlawed && flaw !== undefined ? flaws[flaw] : undefined;
			return flawed === undefined ? build(drawn, index) : flawed(index);
		});
}

const unusable = (json: IDataObject, files?: Item['files']) => (): Item => ({
	json,
	...(files === undefined ? {} : { files }),
	wanted: { kind: 'unusable' },
});

const small = (fileName: string, size = 9): FileDraft => ({ fileName, size, kept: 'in memory' });

const PLAIN = { waits: false, adds: false, agent: 'unused' };

const upload = flawedOr(
	[
		unusable({ ...PLAIN, fields: 'missing' }, { file_0: small('a.txt') }),
		unusable({ ...PLAIN, fields: 'file_*' }, { file_0: small('a.txt', 0) }),
		unusable({ ...PLAIN, fields: 'file_*' }, { file_0: small('a.txt'), file_1: small('b.exe') }),
		unusable({ ...PLAIN, fields: 'file_*', adds: true, agent: '../x' }, { file_0: small('a.txt') }),
	],
	fc.record({
		contents: fc.array(content, { minLength: 1, maxLength: 3 }),
		afterwards,
		/** Whether all of them have the same name. */
		areTwins: fc.nat(5).map((drawn) => drawn === 5),
	}),
	({ contents, afterwards: then, areTwins }, index) => {
		const files = contents.map((one, at) => ({
			...one,
			fileName: areTwins ? `${index}-0.txt` : `${index}-${at}.${ENDS[at]}`,
		}));
		return {
			json: { fields: 'file_*', ...jsonOf(then) },
			files: Object.fromEntries(files.map((one, at) => [`file_${at}`, one])),
			wanted: { kind: 'upload', files, ...then },
		};
	},
);

const addText = flawedOr(
	[
		unusable({ ...PLAIN, title: ' ', text: 'x' }),
		unusable({ ...PLAIN, title: 'x', text: 'y'.repeat(5001) }),
	],
	fc.record({ afterwards, length: fc.constantFrom(1, 12, 5000) }),
	({ afterwards: then, length }, index) => {
		const entry = { title: `title ${index}`, text: `${index}`.repeat(length) };
		return { json: { ...entry, ...jsonOf(then) }, wanted: { kind: 'addText', ...entry, ...then } };
	},
);

const getMany = flawedOr(
	[
		unusable({ all: false, limit: 0, statuses: [], types: [] }),
		unusable({ all: false, limit: 1, statuses: [], types: ['other'] }),
	],
	fc.record({
		all: fc.boolean(),
		limit: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(99, 100, 101, 150, 200, 300)),
		statuses: fc.oneof(
			{ weight: 2, arbitrary: fc.constant<string[]>([]) },
			{ weight: 1, arbitrary: fc.subarray(['failed', 'indexed', 'inSync']) },
		),
		types: fc.oneof(
			{ weight: 2, arbitrary: fc.constant<string[]>([]) },
			{ weight: 1, arbitrary: fc.subarray(['uploads', 'text-details', 'website']) },
		),
	}),
	({ all, limit, statuses, types }) => ({
		json: { all, limit, statuses, types },
		wanted: { kind: 'getMany', limit: all ? Infinity : limit, statuses, types },
	}),
);

const empty = (json: IDataObject) => (): Item => ({ json, wanted: { kind: 'empty' } });

const ids = fc.record({
	own: fc.integer({ min: 0, max: 3 }),
	shared: fc.subarray(SHARED_IDS),
	unknown: oneIn(4, fc.constantFrom(...UNKNOWN_IDS)),
});

function idsOf(
	{ own, shared, unknown }: { own: number; shared: string[]; unknown?: string },
	kind: string,
	index: number,
): string[] {
	const owned = Array.from({ length: own }, (_, at) => ownId(kind, index, at));
	const others = [...shared, ...(unknown === undefined ? [] : [unknown])];
	const all = [...owned.slice(0, 1), ...others, ...owned.slice(1)];
	return all.length === 0 ? [ownId(kind, index, 0)] : all;
}

const deletion = flawedOr(
	[
		empty({ kind: 'uploads', ids: [] }),
		unusable({ kind: 'uploads', ids: [{ name: 'x' }] }),
		unusable({ kind: 'uploads', ids: ['a/b'] }),
		unusable({ kind: 'folders', ids: ['a'] }),
	],
	fc.record({ kind: fc.constantFrom(...KINDS), ids }),
	({ kind, ids: given }, index) => {
		// Those that items share are uploads.
		const shared = kind === 'uploads' ? given.shared : [];
		const asked = idsOf({ ...given, shared }, kind, index);
		return {
			json: { kind, ids: asked },
			wanted: { kind: 'delete', sourceKind: kind, ids: asked },
		};
	},
);

const getStatus = flawedOr(
	[empty({ ids: '' }), unusable({ ids: true })],
	fc.record({
		kind: fc.constantFrom(...KINDS),
		ids,
		/** More than one question takes. */
		more: oneIn(4, fc.constantFrom(97, 150)),
	}),
	({ kind, ids: given, more = 0 }, index) => {
		const others = Array.from({ length: more }, (_, at) => `filler-${at}`);
		const asked = [...idsOf(given, kind, index), ...others];
		return { json: { ids: asked }, wanted: { kind: 'getStatus', ids: asked } };
	},
);

const REPLACING = {
	fields: 'file_0',
	agent: 'guide',
	by: 'id',
	oldName: '',
	oldId: 'old-0',
	ifNotFound: 'fail',
	deletes: 'ifUnused',
};

/** What stands for the old version of a replacement. */
const OLD_BY_ID: Record<string, (at: number) => string> = {
	own: (at) => oldVersion(at).uniqueId,
	twin: () => 'twin-0',
	text: () => 'text-0',
	nowhere: () => UNKNOWN_IDS[0],
};

const OLD_BY_NAME: Record<string, (at: number) => string> = {
	own: (at) => oldVersion(at).sourceName,
	twins: () => TWINS,
	none: (at) => `nothing-${at}.pdf`,
	text: () => TEXT_NAME,
	/** What another item uploads. */
	new: nameOfNew,
	/** The name that the new file has. */
	same: () => '',
};

const oldVersions = fc.oneof(
	fc
		.constantFrom('own', 'own', 'own', 'own', 'twin', 'text', 'nowhere')
		.map((kind) => ({ by: 'id' as const, kind })),
	fc
		.constantFrom('own', 'own', 'own', 'same', 'same', 'twins', 'twins', 'new', 'none', 'text')
		.map((kind) => ({ by: 'fileName' as const, kind })),
);

const replace = flawedOr(
	[
		unusable(
			{ ...REPLACING, fields: 'file_*' },
			{ file_0: small('a.txt'), file_1: small('b.txt') },
		),
		unusable({ ...REPLACING, oldId: 'a/b' }, { file_0: small('a.txt') }),
		unusable({ ...REPLACING, fields: 'missing' }, { file_0: small('a.txt') }),
		unusable({ ...REPLACING, deletes: true }, { file_0: small('a.txt') }),
	],
	fc.record({
		uid: agent,
		content,
		oldVersion: oldVersions,
		/** Whether it replaces what the first item replaces, if that is not one of a kind of its own. */
		isFirst: fc.nat(3).map((drawn) => drawn === 3),
		addIfNotFound: fc.boolean(),
		deleteOld: fc.constantFrom<Replacement['deleteOld']>('ifUnused', 'ifUnused', 'always', 'never'),
	}),
	({ uid, content: given, oldVersion: { by, kind }, isFirst, addIfNotFound, deleteOld }, index) => {
		const at = isFirst ? 0 : index;
		const isSame = by === 'fileName' && kind === 'same';
		const fileName = isSame ? oldVersion(index).sourceName : nameOfNew(index);
		const file = { ...given, fileName };
		const oldId = by === 'id' ? (OLD_BY_ID[kind]?.(at) ?? '') : 'unused';
		const oldName = by === 'id' ? '' : (OLD_BY_NAME[kind]?.(at) ?? '');
		const old = by === 'id' ? { id: oldId } : { name: oldName || fileName };
		return {
			json: {
				fields: 'file_0',
				agent: uid,
				by,
				oldName,
				oldId,
				ifNotFound: addIfNotFound ? 'add' : 'fail',
				deletes: deleteOld,
			},
			files: { file_0: file },
			wanted: { kind: 'replace', uid, file, old, addIfNotFound, deleteOld },
		};
	},
);

/** Of the file that the item at this place uploads, unless it has the old version's name. */
function nameOfNew(index: number): string {
	return `${index}-0.txt`;
}

export const drafts: Record<Operation, fc.Arbitrary<Draft>> = {
	upload,
	addText,
	getMany,
	getStatus,
	delete: deletion,
	replace,
};
