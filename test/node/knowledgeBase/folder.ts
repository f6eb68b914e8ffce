import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { ServiceOptions } from '../../service/service';
import type { Call, Run, Scenario, TestFile } from '../engine';
import { add, freshService } from '../fixture';
import { agent, arrivals, errorOf, file, runFiles } from '../operations';

/** As `file`, but faster, because n8n writes no file to the disk. */
export function inMemory(fileName: string, text?: string): TestFile {
	return { ...file(fileName, text), kept: 'in memory' };
}

/** A folder and its files: the contents by name. */
export type Contents = Record<string, string>;

export type Night = Partial<Omit<Scenario, 'calls'>> & {
	options?: INodeParameters;
	/** Other input than the files of the folder. */
	brings?: Required<Call>;
	/** The folder in several calls of one execution; 'fails' as in a `Scenario`. */
	calls?: Array<Contents | Required<Call> | 'fails'>;
	/** Whether the night follows the previous one immediately. */
	isAtOnce?: boolean;
};

/** More than the hour after which a later execution removes a missing file. */
const HOURS_BETWEEN_MS = 2 * 3_600_000;

const READING = /^(records|list|agent|pages)/;

/** Starts a simulation and a node that syncs 'support-bot' with a folder each night. */
export function freshFolder(options: Partial<ServiceOptions> = {}) {
	const service = freshService({ indexing: { ms: 0 }, ...options });
	let staticData: IDataObject = {};
	beforeEach(() => {
		staticData = {};
	});
	const night = async (contents: Contents, more: Night = {}): Promise<Run> => {
		const { brings, calls, parameters, isAtOnce = false, mode = 'trigger', ...scenario } = more;
		if (!isAtOnce) await sleep(HOURS_BETWEEN_MS);
		service().clearLog();
		const run = await runFiles(service(), 'knowledgeBase.sync', {
			...callWith(contents),
			onError: 'continueRegularOutput',
			...brings,
			calls: calls?.map((call) => (call === 'fails' || isCall(call) ? call : callWith(call))),
			mode,
			staticData,
			...scenario,
			parameters: { uid: agent('support-bot'), ...parameters },
		});
		// n8n stores no static data of a manual execution.
		if (mode !== 'manual') staticData = run.staticData;
		return run;
	};
	return {
		service,
		night,
		note: () => staticData,
		/** Loses the record, as after a crash, in a copy of the workflow, or with another name of the node. */
		loseNote: (left: IDataObject = {}) => {
			staticData = left;
		},
		/** Returns the requests except for lists. */
		changes: () => arrivals(service()).filter((line) => !READING.test(line)),
		known: (uid = 'support-bot') => {
			const ids = service().files(uid, 'uploads');
			return service()
				.records()
				.filter(({ uniqueId }) => ids.includes(uniqueId))
				.map(({ sourceName }) => sourceName)
				.sort();
		},
		idsOf: (name: string) =>
			service()
				.records()
				.filter(({ sourceName }) => sourceName === name)
				.map(({ uniqueId }) => uniqueId),
		/** Adds documents to an agent, but not with this node. */
		give: async (uid: string, ...ids: string[]) => {
			await add(service(), [{ agent: uid, files: ids }]);
		},
		take: async (uid: string, ...ids: string[]) => {
			const parameters = { operation: 'remove' };
			await add(service(), [{ agent: uid, files: ids }], { parameters });
		},
	};
}

function isCall(call: Contents | Required<Call>): call is Required<Call> {
	return Array.isArray(call.items);
}

export function callWith(contents: Contents, ...more: Array<Record<string, TestFile>>) {
	const files = Object.entries(contents).map(([name, text]) => ({ data: inMemory(name, text) }));
	const all: Array<Record<string, TestFile>> = [...files, ...more];
	return { items: all.map((): IDataObject => ({})), files: all };
}

/** Returns the action of each file: `added a.txt`, or the message of its error. */
export function actionsOf({ output }: Run): string[] {
	return output.map(({ json }, index) => {
		const error = errorOf({ output }, index);
		return error ? String(Object(error).message) : `${json.action} ${json.name}`;
	});
}

export function hintsOf({ hints }: Run, wanted: 'warning' | 'info' | 'any' = 'warning'): string[] {
	const fitting = hints.filter(({ type }) => wanted === 'any' || type === wanted);
	return fitting.map(({ message }) => message);
}
