import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { TestFile } from '../../node/engine';
import { KEY } from '../../node/fixture';
import type { KnowledgeRecord, ReceivedBytes, Service } from '../../service/service';
import { checksumOf } from '../../service/storage/checksum';
import { AGENTS } from '../agents';
import { asSet } from '../options';
import type { Course, Stage } from '../stage';
import type { FileDraft, Item, Operation, Scenario } from './scenario';

/** What came of a scenario. */
export interface Played extends Course<Scenario> {
	before: Holdings;
	after: Holdings;
	/** What the agents had at each line of the log. */
	moments: Array<Holdings['attached']>;
	/** The name of every file and text that the service ever held, by ID. */
	names: Map<string, string>;
	/** What has come of a file's bytes, at the end. */
	stored(uniqueId: string): ReceivedBytes | undefined;
	/** All that the service ever held, as it was last seen there, by ID. */
	lastSeen: Map<string, { record: KnowledgeRecord; stored?: ReceivedBytes }>;
}

/** What the service holds. */
export interface Holdings {
	/** Newest first. */
	records: KnowledgeRecord[];
	/** The files of each agent, under `uid/sourceType`. */
	attached: Map<string, string[]>;
}

export const SOURCE_TYPES = ['uploads', 'text'];

const AGENT = { __rl: true, mode: 'id', value: '={{ $json.agent }}' };

const AFTERWARDS: INodeParameters = {
	waitUntilIndexed: '={{ $json.waits }}',
	addToAgent: '={{ $json.adds }}',
	uid: AGENT,
};

/** All that can differ from item to item does. */
const PARAMETERS: Record<Operation, INodeParameters> = {
	upload: { resource: 'file', binaryPropertyName: '={{ $json.fields }}', ...AFTERWARDS },
	addText: {
		resource: 'file',
		title: '={{ $json.title }}',
		text: '={{ $json.text }}',
		...AFTERWARDS,
	},
	getMany: {
		resource: 'file',
		returnAll: '={{ $json.all }}',
		limit: '={{ $json.limit }}',
		filters: { statuses: '={{ $json.statuses }}', types: '={{ $json.types }}' },
	},
	getStatus: { resource: 'file', fileIds: '={{ $json.ids }}' },
	delete: { resource: 'file', fileKind: '={{ $json.kind }}', fileIds: '={{ $json.ids }}' },
	replace: {
		resource: 'knowledgeBase',
		uid: AGENT,
		binaryPropertyName: '={{ $json.fields }}',
		oldVersionBy: '={{ $json.by }}',
		oldFileName: '={{ $json.oldName }}',
		ifNotFound: '={{ $json.ifNotFound }}',
		oldFileId: '={{ $json.oldId }}',
		deleteOldVersion: '={{ $json.deletes }}',
	},
};

export async function play(stage: Stage, scenario: Scenario): Promise<Played> {
	const { service } = stage;
	const { operation, items, options, habits, unreadable } = scenario;
	stage.begin(scenario, habits);
	await stage.pass(fill(service, scenario));
	for (const fileName of unreadable) {
		service.scriptIndexing({ for: { fileName }, times: Infinity, ends: 'failed' });
	}
	const before = holdingsOf(service);
	const names = new Map<string, string>();
	const lastSeen: Played['lastSeen'] = new Map();
	const moments: Played['moments'] = [];
	const look = () => {
		for (const record of service.records()) {
			const { uniqueId, sourceName } = record;
			names.set(uniqueId, sourceName);
			lastSeen.set(uniqueId, { record, stored: service.stored(uniqueId) });
		}
		moments.push(holdingsOf(service).attached);
	};
	look();
	const workflow = {
		items: items.map(({ json }) => json),
		files: items.map(({ files = {} }) => testFiles(files)),
		parameters: { operation, ...PARAMETERS[operation], options: asSet(options) },
	};
	const course = await stage.perform(scenario, workflow, look);
	const after = holdingsOf(service);
	look();
	const stored = new Map([...names.keys()].map((uniqueId) => [uniqueId, service.stored(uniqueId)]));
	return { ...course, before, after, moments, names, lastSeen, stored: (id) => stored.get(id) };
}

async function fill({ baseUrl, records }: Service, scenario: Scenario): Promise<void> {
	const { isHeld, alsoHeldBy, items } = scenario;
	const held = new Map<string, string[]>();
	for (const { wanted } of items) {
		if (wanted.kind !== 'replace') continue;
		const { uid, old } = wanted;
		const found = records().find(({ uniqueId, sourceName, type }) => {
			return type === 'uploads' && ('id' in old ? uniqueId === old.id : sourceName === old.name);
		});
		const uids = [...(isHeld ? [uid] : []), ...(alsoHeldBy === undefined ? [] : [alsoHeldBy])];
		for (const one of found ? uids : []) {
			held.set(one, [...(held.get(one) ?? []), ...(found ? [found.uniqueId] : [])]);
		}
	}
	for (const [uid, uniqueIds] of held) {
		if (uid === 'nobody') continue;
		await axios.patch(
			`${baseUrl}/ai-agents/agent-builder/agents/${uid}/knowledge-base/uploads/add`,
			{ uniqueIds },
			{ headers: { apikey: KEY }, maxRedirects: 0 },
		);
	}
	// Lists that are behind show it, too.
	if (held.size > 0) await sleep(2000);
}

function holdingsOf(service: Service): Holdings {
	const places = AGENTS.flatMap((uid) =>
		SOURCE_TYPES.map((sourceType) => [uid, sourceType] as const),
	);
	return {
		records: service.records(),
		attached: new Map(
			places.map(([uid, sourceType]) => [`${uid}/${sourceType}`, service.files(uid, sourceType)]),
		),
	};
}

function testFiles(files: NonNullable<Item['files']>): Record<string, TestFile> {
	return Object.fromEntries(
		Object.entries(files).map(([field, file]) => {
			const { fileName, kept } = file;
			return [field, { fileName, bytes: bytesOf(file), kept }];
		}),
	);
}

/** No two files of a run have the same bytes, unless they are of the same name and size. */
function bytesOf({ fileName, size }: FileDraft): Uint8Array {
	const seed = checksumOf(new TextEncoder().encode(fileName));
	const pattern = new TextEncoder().encode(`${seed} of ${size} bytes. `);
	return Uint8Array.from({ length: size }, (_, at) => pattern[at % pattern.length] ?? 0);
}

/** What the upload host has of a file if it has all of it. */
export function arrived(file: FileDraft): ReceivedBytes {
	const bytes = bytesOf(file);
	return { bytes: bytes.length, checksum: checksumOf(bytes) };
}
