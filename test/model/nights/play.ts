import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { NotedAgent } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/syncNote';
import { readNote } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/syncNote';
import type { Run } from '../../node/engine';
import { runNode } from '../../node/engine';
import { credentialFor, KEY } from '../../node/fixture';
import type { LogEntry, Rule } from '../../service/service';
import { checksumOf } from '../../service/storage/checksum';
import type { Environment } from '../environment';
import { hold } from '../environment';
import { rulesOf } from '../serviceRules';
import type { FolderFile } from './folder';
import { Folder } from './folder';
import type { ByHand, Night, Nights, Settings } from './scenario';
import { BYSTANDER, HELD, PLACES } from './scenario';

/** What there is at a moment. */
export interface Moment {
	/** The uploads of each agent. */
	attached: Map<string, string[]>;
	/** What CometChat has, and what of it it was able to read. */
	ids: Set<string>;
	usable: Set<string>;
}

/** An upload that was ever there. */
export interface Upload {
	fileName: string;
	/** Undefined where its bytes never came. */
	checksum?: string;
}

/** A run of the node in a night. */
export interface NodeRun {
	run: Run;
	files: FolderFile[];
	/** With which it began. */
	note: NotedAgent[];
	/** The moments at its beginning and at its end. */
	first: number;
	last: number;
}

/** A night that is over, and what the stand-in saw. */
export interface Passed {
	settings: Settings;
	night: Night;
	/** None if the folder was empty, two if there was another at the same time. */
	runs: NodeRun[];
	/** Before the night, at each line of the log, and after it. */
	moments: Moment[];
	uploads: ReadonlyMap<string, Upload>;
	log: LogEntry[];
	previous?: Passed;
}

const BETWEEN_MS = 10_000_000;

/** Plays nights one after another until one is not as promised. */
export async function playNights<T>(
	environment: Environment,
	{ settings, first, nights }: Nights,
	judge: (passed: Passed) => T | undefined,
): Promise<T | undefined> {
	const { service } = environment;
	const folder = new Folder();
	const uploads = new Map<string, Upload>();
	let note: IDataObject = {};
	let previous: Passed | undefined;
	environment.reset();
	environment.arrange({ serviceAheadMs: 0, variant: {} });
	await environment.pass(hold(service, HELD));
	for (const one of first) folder.edit(one);

	for (const night of nights) {
		const { killed, second } = night;
		environment.arrange({
			...night,
			variant: { ...night.variant, agentLists: settings.agentLists },
		});
		const edit = () => night.edits.forEach((one) => folder.edit(one));
		if (!night.isLate) edit();
		for (const one of night.byHand) await environment.pass(byHand(environment, one));
		await environment.pass(sleep(BETWEEN_MS));
		if (night.isLate) edit();
		if (night.losesNote) note = {};

		const moments: Moment[] = [];
		const look = () => moments.push(momentOf(environment, uploads));
		const begun = note;
		let kept = begun;
		const runs: NodeRun[] = [];
		const begin = async (stop: Promise<void>) => {
			const files = folder.files();
			const begunAt = moments.length - 1;
			// n8n runs no node without items.
			if (files.length === 0) return;
			const run = await runNode(workflowOf(environment, night, settings, files, begun, stop));
			runs.push({ run, files, note: noteIn(begun), first: begunAt, last: moments.length - 1 });
			kept = run.staticData;
		};
		look();
		const rules = killed ? untilKilled(killed) : [...rulesOf(night, service).keys()];
		const stop = killed ? { atRequest: killed.atRequest } : night.stop;
		await environment.during({ ...night, stop }, rules, look, async (pressed) => {
			const beginSecond = async (afterMs: number) => {
				await sleep(afterMs);
				for (const one of second?.edits ?? []) folder.edit(one);
				await begin(pressed);
			};
			await Promise.all([begin(pressed), ...(second ? [beginSecond(second.afterMs)] : [])]);
		});
		look();
		if (!killed) note = kept;

		const passed = { settings, night, runs, moments, uploads, log: [...service.log], previous };
		const judged = judge(passed);
		if (judged !== undefined) return judged;
		previous = passed;
	}
	return undefined;
}

/** From one request on, nothing is carried out any more. */
function untilKilled({ atRequest, applies }: NonNullable<Night['killed']>): Rule[] {
	return [
		...(atRequest > 1 ? [{ times: atRequest - 1 }] : []),
		{ drop: 'beforeApplying', apply: applies },
		{ times: Infinity, drop: 'beforeApplying' },
	];
}

function momentOf({ service }: Environment, uploads: Map<string, Upload>): Moment {
	const records = service.records();
	for (const { uniqueId, sourceName: fileName } of records) {
		uploads.set(uniqueId, { fileName, checksum: service.stored(uniqueId)?.checksum });
	}
	const uids = service.agents().map(({ uid }) => uid);
	return {
		attached: new Map(uids.map((uid) => [uid, service.files(uid, 'uploads')])),
		ids: new Set(records.map(({ uniqueId }) => uniqueId)),
		usable: new Set(
			records.flatMap(({ uniqueId, status }) => (status === 'failed' ? [] : [uniqueId])),
		),
	};
}

function workflowOf(
	{ service }: Environment,
	{ onError }: Night,
	{ deleteOldVersion, goneFiles, maxShareToRemove, tellsModified, parallelRequests }: Settings,
	files: FolderFile[],
	staticData: IDataObject,
	stop: Promise<void>,
): Parameters<typeof runNode>[0] {
	return {
		items: files.map(({ uid, modifiedMs }) => ({ uid, modified: tellsModified ? modifiedMs : '' })),
		files: files.map(({ fileName, text }) => ({ data: { fileName, bytes: bytesOf(text) } })),
		parameters: {
			resource: 'knowledgeBase',
			operation: 'sync',
			uid: { __rl: true, mode: 'id', value: '={{ $json.uid }}' },
			modified: '={{ $json.modified }}',
			deleteOldVersion,
			goneFiles,
			options: { maxShareToRemove },
			requestOptions: parallelRequests === undefined ? {} : { parallelRequests },
		},
		credential: credentialFor(service),
		onError,
		mode: 'trigger',
		staticData,
		stop,
	};
}

function bytesOf(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}

/** That of a file in the folder, to compare with what is stored. */
export function checksumIn({ text }: FolderFile): string {
	return checksumOf(bytesOf(text));
}

/** What n8n keeps for the only node that has a note. */
function noteIn(staticData: IDataObject): NotedAgent[] {
	return Object.values(staticData).flatMap((kept) => readNote(Object(kept).syncedFiles));
}

async function byHand({ service }: Environment, { kind, at }: ByHand): Promise<void> {
	const { uid = '', fileName = '' } = PLACES[at] ?? {};
	const attached = service.files(uid, 'uploads');
	const uniqueIds = service
		.records()
		.filter((record) => record.sourceName === fileName && attached.includes(record.uniqueId))
		.map(({ uniqueId }) => uniqueId);
	const authorized = { headers: { apikey: KEY }, maxRedirects: 0 };
	const path = `${service.baseUrl}/ai-agents/agent-builder`;
	if (kind === 'share' && uniqueIds.length > 0) {
		await hold(service, [{ uid: BYSTANDER, sourceType: 'uploads', ids: uniqueIds }]);
	}
	for (const uniqueId of uniqueIds) {
		if (kind === 'delete') {
			await axios.delete(`${path}/knowledge-base/uploads/${uniqueId}`, authorized);
		} else if (kind === 'take') {
			const body = { uniqueIds: [uniqueId] };
			await axios.patch(`${path}/agents/${uid}/knowledge-base/uploads/remove`, body, authorized);
		}
	}
}
