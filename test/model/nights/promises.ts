import { KEY } from '../../node/fixture';
import type { Promised } from '../suite';
import { firstOf } from '../suite';
import { isRecord } from '../serviceRules';
import type { Brought } from './delivery';
import { onGone } from './gone';
import { isPlace, lossesOf } from './losses';
import type { Execution, Moment, NodeCall, Passed, Upload } from './play';
import { checksumIn } from './play';
import type { Place } from './scenario';
import { FAILED_DOWNLOADS, isGood, isTold, PLACES, SCAN, UNREADABLE } from './scenario';

/**
 * The promises about each night of Sync Folder. An expectation may use what a user knows: the folder, the node's input
 * and output, and CometChat's documents and their origin. It may not use how the node decides: its record or its rules.
 * If a promise depends on the node's knowledge, the expectation uses the most that the node can know (`AbsenceCount`).
 */
export const promises: Array<Promised<Passed>> = [
	{
		title: 'after a night without faults the agents know what came from the folder, each file once',
		holdsFor: (passed) =>
			isGood(passed.night) &&
			isTold(passed.settings) &&
			passed.settings.next === undefined &&
			passed.night.dry === undefined,
		contradiction: eachItem(({ file, output, execution }, passed) => {
			const now = uploadsOf(file, passed.moments.at(-1));
			const isInStep = now.length === 1 && isSentAs(now[0], file, passed);
			const isLacking = execution.calls.length < execution.planned.length;
			// A scan does not replace a version with text, also if it seems to be the file by its date.
			const isScanned = file.text === SCAN || now.some(({ hasText }) => !hasText);
			const isScan = isScanned && isRecord(output?.json.error);
			// A node without any record does not upload a file again that CometChat could not index.
			const isRefused = NOT_AGAIN.test(String(Object(output?.json.error).message));
			return !canBeSent(file) || isInStep || isLacking || isScan || isRefused
				? undefined
				: `${nameOf(file)} is ${contentsOf(now)}`;
		}),
	},
	{
		title:
			'an agent loses a version of a file of the folder only once it has the new one, or one between, and one with text only for one with text; of one that was away the night before, it has one in the end',
		contradiction: (passed) =>
			firstOf(lossesOf(passed), ({ place, upload, now }) => {
				const files = broughtAs(place, passed);
				if (files.length < passed.executions.length || files.length === 0) return undefined;
				// In a loop, its call may be later than all calls of the previous night.
				const { previous, moments } = passed;
				const wasAway = previous !== undefined && broughtAs(place, previous).length === 0;
				const has = uploadsOf(place, (wasAway && moments.at(-1)) || now);
				// A failed request doesn't show whether a version has text.
				const isReadable = ({ hasText }: Upload) =>
					hasText || !upload.hasText || !isGood(passed.night);
				const isThere = has
					.filter(isReadable)
					.some(
						(one) =>
							files.some((file) => isContent(one, file)) ||
							(!one.isForeign && one.isUsable && one.createdAtMs > upload.createdAtMs),
					);
				return isThere ? undefined : `${nameOf(place)}: ${contentsOf(has)}`;
			}),
	},
	...onGone,
	{
		title: 'nothing is deleted that another agent has, and nothing from elsewhere',
		contradiction: (passed) => {
			// Late lists don't show the changes of others.
			const isKnown = passed.night.lagsMs === undefined;
			return firstOf(passed.moments, ({ uploads }, at) => {
				const before = passed.moments[at - 1];
				return firstOf([...(before?.uploads ?? [])], ([id, { fileName, isForeign }]) => {
					if (uploads.has(id)) return undefined;
					if (isForeign) {
						return `${id} (${fileName}), which is from elsewhere, is deleted`;
					}
					const holders = [...(before?.attached ?? [])].flatMap(([uid, ids]) =>
						ids.includes(id) ? [uid] : [],
					);
					return holders.length === 0 || !isKnown
						? undefined
						: `${id} (${fileName}) is deleted, and ${holders.join()} had it`;
				});
			});
		},
	},
	{
		title:
			'neither what a failed download has saved is sent, nor anything under another name than a file has',
		contradiction: ({ moments }) => {
			const failed = FAILED_DOWNLOADS.map((text) => checksumIn({ text }));
			return firstOf([...(moments.at(-1)?.uploads ?? [])], ([id, upload]) => {
				const { checksum = 0, fileName, isForeign } = upload;
				const isFile = PLACES.some((place) => place.fileName === fileName);
				return isForeign || (isFile && !failed.includes(checksum))
					? undefined
					: `${id} (${fileName})`;
			});
		},
	},
	{
		title: 'what is reported as added, replaced or unchanged, the agent has with its content',
		// If the lists don't report it, only a saved record shows it.
		holdsFor: ({ night, settings, isNoteWhole }) =>
			night.lagsMs === undefined && (isTold(settings) || isNoteWhole),
		contradiction: eachItem(({ file, output, execution, isLast }, passed) => {
			const { action, uniqueId, dryRun } = output?.json ?? {};
			if (!IN_STEP.includes(String(action)) || dryRun === true) return undefined;
			// With several calls or nights at the same time, another may have changed it, before the lists show it.
			const isAlone = passed.executions.length === 1 && isLast;
			const begin = passed.settings.agentLists === 'stale' ? 0 : execution.first;
			const from = isAlone ? execution.last : begin;
			const had = passed.moments
				.slice(from, execution.last + 1)
				.some((moment) =>
					uploadsOf(file, moment).some(
						(upload) => upload.uniqueId === uniqueId && isSentAs(upload, file, passed),
					),
				);
			return had ? undefined : `${String(action)} ${nameOf(file)}: ${String(uniqueId)}`;
		}),
	},
	{
		title: 'what an agent has lost stands in the output',
		holdsFor: ({ executions, night }) =>
			!night.killed &&
			executions.every(
				({ status, calls }) => status !== 'canceled' && calls.every(({ error }) => !error),
			),
		contradiction: (passed) =>
			firstOf(lossesOf(passed), ({ place, id }) => {
				const isSaid = saidIn(passed).some(
					(it) =>
						isPlace(it, place) && ['removed', 'replaced', 'added', 'error'].includes(it.action),
				);
				return isSaid ? undefined : `${nameOf(place)} (${id})`;
			}),
	},
	{
		title: "'removed' stands only where CometChat has confirmed the removal",
		contradiction: (passed) =>
			firstOf(saidIn(passed), ({ action, isDry, uid, uniqueId, fileName }) => {
				if (action !== 'removed' || isDry) return undefined;
				const isConfirmed = passed.log.some(
					(line) =>
						line.kind === 'answered' &&
						line.operation === 'remove' &&
						line.uid === uid &&
						line.applied &&
						(uniqueId === undefined || line.uniqueIds?.includes(uniqueId)),
				);
				return isConfirmed ? undefined : `${fileName} of ${uid} (${uniqueId})`;
			}),
	},
	{
		title:
			'a file that CometChat never accepts is skipped without an alarm, and no request names it',
		contradiction: ({ executions, log, settings: { neverAccepted } }) => {
			const sent = log.find(({ fileNames = [] }) =>
				fileNames.some((one) => neverAccepted.includes(one)),
			);
			if (sent) return `${sent.operation} ${sent.fileNames?.join()}`;
			const calls = executions.flatMap((execution) => execution.calls);
			return firstOf(calls, ({ output, error, items }) =>
				firstOf(error || items.length === 0 ? [] : neverAccepted, (name) => {
					const rows = output.filter(({ json }) => json.name === name);
					const isSkipped = rows.every(({ json: { action, success } }) => {
						return action === 'skipped' && success === true;
					});
					return rows.length === 1 && isSkipped ? undefined : `${name}: ${JSON.stringify(rows)}`;
				}),
			);
		},
	},
	{
		title: "'removed' is said only of what an agent had",
		holdsFor: ({ settings, night }) => isTold(settings) && night.lagsMs === undefined,
		contradiction: (passed) =>
			firstOf(saidIn(passed), ({ action, fileName, uniqueId, old }) => {
				const ids = [uniqueId ?? '', ...old];
				return action !== 'removed' || ids.some((id) => passed.everAttached.has(id))
					? undefined
					: `${fileName} (${ids.join()})`;
			}),
	},
	{
		title: 'what came the night before, too, and has not changed since, is left alone',
		holdsFor: ({ night, previous, settings }) =>
			isGood(night) &&
			isTold(settings) &&
			!night.losesNote &&
			night.byHand.length === 0 &&
			previous !== undefined &&
			isNoted(previous) &&
			previous.night.dry === undefined &&
			(night.mode === 'trigger' || night.mode === 'manual'),
		contradiction: eachItem(({ file }, passed) => {
			const [before] = passed.previous?.executions ?? [];
			const wasThere = before?.calls.some(({ items }) =>
				items.some((item) => isPlace(item, file) && checksumIn(item) === checksumIn(file)),
			);
			const [begin] = passed.moments;
			const has = uploadsOf(file, begin);
			if (!wasThere || has.length !== 1 || !isContent(has[0], file)) return undefined;
			const id = has[0]?.uniqueId ?? '';
			const others = PLACES.filter(
				(place) => place.fileName === file.fileName && place.uid !== file.uid,
			);
			// The other agent's file with the same name is uploaded, too.
			const isSingle = others.every((place) => broughtAs(place, passed).length === 0);
			const sent = passed.log.find(
				({ kind, operation = '', uid, uniqueIds, fileNames }) =>
					kind === 'arrived' &&
					((operation === 'remove' && uid === file.uid && uniqueIds?.includes(id)) ||
						(operation === 'initiate' && isSingle && fileNames?.includes(file.fileName))),
			);
			return sent && `${sent.operation} for ${nameOf(file)}`;
		}),
	},
	{
		title:
			'of one file at most one upload of this node stays that no agent has ever had, but for what could not be deleted in an earlier night, or was only to be taken from the agent',
		holdsFor: (passed) =>
			isGood(passed.night) &&
			isNoted(passed) &&
			isTold(passed.settings) &&
			passed.settings.oldVersions === undefined,
		contradiction: (passed) => {
			const { uploads } = passed.moments.at(-1) ?? {};
			// A missing file stays in CometChat if it is only removed from the agent.
			const mayStay = new Set<unknown>(removedFrom(passed));
			for (let { previous } = passed; previous; { previous } = previous) {
				for (const id of removedFrom(previous)) mayStay.add(id);
				for (const { operation, uniqueId } of previous.log) {
					if (operation === 'deleteUpload') mayStay.add(uniqueId);
				}
			}
			const vain = [...(uploads ?? [])].filter(
				([id, { isForeign, checksum }]) =>
					!isForeign && checksum !== undefined && !passed.everAttached.has(id) && !mayStay.has(id),
			);
			return firstOf(vain, ([, { fileName }]) => {
				const places = PLACES.filter((place) => place.fileName === fileName);
				const alike = vain.filter(([, one]) => one.fileName === fileName);
				const ids = alike.map(([id]) => id).join();
				return alike.length > places.length ? `${fileName}: ${ids}` : undefined;
			});
		},
	},
	{
		title: 'for an agent whose items are dry, nothing is sent',
		holdsFor: ({ night }) => night.dry !== undefined,
		contradiction: (passed) => {
			const { kind, at } = passed.night.dry ?? { kind: 'all', at: 0 };
			const uid = PLACES[at]?.uid;
			const wrong = passed.log.find(
				({ kind: line, operation = '', uid: to }) =>
					line === 'arrived' && !READING.includes(operation) && (kind === 'all' || to === uid),
			);
			return wrong && `${wrong.operation} ${(wrong.fileNames ?? wrong.uniqueIds ?? []).join()}`;
		},
	},
	{
		title: 'a file that CometChat cannot read is uploaded once for each agent, until it changes',
		holdsFor: (passed) => passed.isNoteWhole,
		contradiction: (passed) => {
			const places = PLACES.filter(({ fileName }) => fileName === UNREADABLE);
			const answered = sinceChange(passed, places)
				.flatMap(({ log }) => log)
				.filter(
					({ kind, operation, fileNames }) =>
						kind === 'answered' && operation === 'upload' && fileNames?.includes(UNREADABLE),
				);
			// Each upload once, for any number of attempts.
			const sent = new Set(answered.map(({ uniqueIds }) => uniqueIds?.[0]));
			return sent.size > places.length ? `${sent.size} times` : undefined;
		},
	},
	{
		title: 'what the node notes has its bounds',
		contradiction: ({ noteBytes, moments, namesCome }) => {
			const uploads = moments.at(-1)?.uploads.size ?? 0;
			const most = 1000 + 600 * PLACES.length + 60 * uploads;
			return noteBytes <= most
				? undefined
				: `${noteBytes} bytes for ${uploads} uploads and ${[...namesCome.values()].join()} names`;
		},
	},
	{
		title: 'neither what is shown nor what is stored holds the API key or a part of it',
		contradiction: ({ executions }) => {
			const parts = [KEY, KEY.slice(0, 12), KEY.slice(-12)];
			return firstOf(executions, ({ stored }) => {
				const found = parts.map((part) => stored.indexOf(part)).find((at) => at >= 0);
				return found === undefined ? undefined : stored.slice(Math.max(0, found - 200), found + 50);
			});
		},
	},
];

/** Returns the nights until this one without a change at these places. */
function sinceChange(passed: Passed, places: Place[]): Passed[] {
	const { previous } = passed;
	const contentsIn = (night: Passed) =>
		JSON.stringify(places.map((place) => broughtAs(place, night).map(({ text }) => text)));
	return previous === undefined || contentsIn(previous) !== contentsIn(passed)
		? [passed]
		: [...sinceChange(previous, places), passed];
}

/** Returns the uploads in requests that remove them from an agent. */
function removedFrom({ log }: Passed): string[] {
	return log.flatMap(({ operation, uniqueIds = [] }) => (operation === 'remove' ? uniqueIds : []));
}

/** Whether an upload has the file's content, or is newer and from elsewhere, or after a retry with an old content. */
function isSentAs(upload: Upload | undefined, file: Brought, passed: Passed): boolean {
	const { createdAtMs = 0 } = upload ?? {};
	const { tellsModified, areTexts } = passed.settings;
	const isNewer = tellsModified && !areTexts && createdAtMs > file.modifiedMs;
	const isForeign = upload?.isForeign === true;
	return isContent(upload, file) || (isNewer && (isForeign || hasRetried(passed)));
}

function hasRetried({ night, previous }: Passed): boolean {
	const isRetry = night.mode === 'retry' || night.mode === 'retryWithNote';
	return isRetry || (previous !== undefined && hasRetried(previous));
}

/** Whether n8n has saved the record of this night, and the lists were not late. */
function isNoted({ night, isNoteWhole, executions }: Passed): boolean {
	return isGood(night) && night.mode === 'trigger' && isNoteWhole && executions.length === 1;
}

const NOT_AGAIN = /so it was not uploaded again/;

const IN_STEP = ['added', 'replaced', 'unchanged'];

const READING = ['records', 'list', 'agent', 'poll'];

/** The output of a call for a file. */
export interface Said {
	/** 'error' if the file failed. */
	action: string;
	fileName: string;
	uid?: string;
	uniqueId?: string;
	reason: string;
	/** The IDs of the old versions. */
	old: string[];
	isDry: boolean;
	/** The input item of the file; left out: none. */
	item?: Brought;
	call: NodeCall;
}

export function saidIn({ executions }: Pick<Passed, 'executions'>): Said[] {
	return executions.flatMap(({ calls }) =>
		calls.flatMap((call) =>
			call.output.map(({ json }, index): Said => {
				const item = call.items[index];
				const { error } = json;
				const told: Record<string, unknown> = isRecord(error) ? Object(error.details) : json;
				return {
					action: isRecord(error) ? 'error' : String(told.action).replace(/^would be /, ''),
					fileName: String(told.name ?? item?.fileName),
					uid: item?.uid ?? (typeof told.uid === 'string' ? told.uid : undefined),
					uniqueId: typeof told.uniqueId === 'string' ? told.uniqueId : undefined,
					reason: isRecord(error) ? String(error.message) : String(told.reason),
					old: idsIn(told.old),
					isDry: told.dryRun === true,
					item,
					call,
				};
			}),
		),
	);
}

function idsIn(rows: unknown): string[] {
	return (Array.isArray(rows) ? rows : []).map((row) => String(Object(row).uniqueId));
}

interface ItemGiven {
	file: Brought;
	output?: NodeCall['output'][number];
	execution: Execution;
	/** Whether it is in the last call of its execution. */
	isLast: boolean;
}

function eachItem(contradiction: (given: ItemGiven, passed: Passed) => string | undefined) {
	return (passed: Passed): string | undefined =>
		firstOf(passed.executions, (execution) =>
			firstOf(execution.calls, ({ items, output }, at) =>
				firstOf(items, (file, index) =>
					file.flaw === undefined
						? contradiction(
								{
									file,
									output: output[index],
									execution,
									isLast: at === execution.calls.length - 1,
								},
								passed,
							)
						: undefined,
				),
			),
		);
}

/** Returns the file in each of the night's executions. */
function broughtAs(place: Place, { executions }: Passed): Brought[] {
	return executions.flatMap(({ planned }) =>
		planned.flat().filter((item) => item.flaw === undefined && isPlace(item, place)),
	);
}

function canBeSent({ text, fileName }: Brought): boolean {
	return text !== '' && !FAILED_DOWNLOADS.includes(text) && fileName !== UNREADABLE;
}

function uploadsOf(
	{ uid, fileName }: Place,
	moment: Moment | undefined,
): Array<Upload & { uniqueId: string }> {
	const ids = moment?.attached.get(uid) ?? [];
	return ids.flatMap((uniqueId) => {
		const upload = moment?.uploads.get(uniqueId);
		return upload?.fileName === fileName ? [{ uniqueId, ...upload }] : [];
	});
}

function isContent(upload: Upload | undefined, file: Brought): boolean {
	return upload?.checksum === checksumIn(file);
}

function contentsOf(uploads: Array<Upload & { uniqueId: string }>): string {
	return (
		uploads.map(({ uniqueId, checksum }) => `${uniqueId} with ${checksum}`).join() || 'nowhere'
	);
}

function nameOf({ uid, fileName }: Place): string {
	return `${fileName} of ${uid}`;
}
