import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { ServiceOptions } from '../../service/service';
import type { Call, Executions, Run, Scenario, TestFile } from '../engine';
import { add, freshService } from '../fixture';
import { agent, arrivals, errorOf, file, runFiles } from '../operations';

/** As `file`, and quicker: n8n writes none to the disk. */
export function inMemory(fileName: string, text?: string): TestFile {
	return { ...file(fileName, text), kept: 'in memory' };
}

/** A folder and its files: each content by name. */
export type Contents = Record<string, string>;

/** What a night may have that others have not. */
export type Night = Partial<Omit<Scenario, 'calls'>> & {
	options?: INodeParameters;
	/** Other input than the files of the folder. */
	brings?: Required<Call>;
	/** The folder in several calls of one execution, in the place of the whole; 'fails' as in a `Scenario`. */
	calls?: Array<Contents | Required<Call> | 'fails'>;
	/** Whether it follows right after the one before. */
	isAtOnce?: boolean;
};

/** A file that is missing is removed by an execution at least an hour later. */
const HOURS_BETWEEN_MS = 2 * 3_600_000;

const READING = /^(records|list|agent|pages)/;

/** A stand-in, and a node that keeps 'support-bot' in step with a folder night after night. */
export function freshFolder(options: Partial<ServiceOptions> = {}) {
	const service = freshService({ indexing: { ms: 0 }, ...options });
	let staticData: IDataObject = {};
	const executions: Executions = new Map();
	beforeEach(() => {
		staticData = {};
		executions.clear();
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
			executions,
			...scenario,
			parameters: { uid: agent('support-bot'), ...parameters },
		});
		// As n8n keeps it.
		if (mode !== 'manual') staticData = run.staticData;
		return run;
	};
	return {
		service,
		night,
		/** What n8n has stored of the executions until now; one that is deleted or cleared was not stored. */
		executions,
		note: () => staticData,
		/** As after a crash, in a copy of the workflow, or with another name of the node. */
		loseNote: (left: IDataObject = {}) => {
			staticData = left;
		},
		/** What arrived beyond the lists. */
		changes: () => arrivals(service()).filter((line) => !READING.test(line)),
		/** What the agent has, by name. */
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
		/** From elsewhere, and not by this node. */
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

/** A call that brings these files, one an item; where an item is to bring none, or another, that as well. */
export function callWith(contents: Contents, ...more: Array<Record<string, TestFile>>) {
	const files = Object.entries(contents).map(([name, text]) => ({ data: inMemory(name, text) }));
	const all: Array<Record<string, TestFile>> = [...files, ...more];
	return { items: all.map((): IDataObject => ({})), files: all };
}

/** What became of each file: `added a.txt`, or the words of its error. */
export function actionsOf({ output }: Run): string[] {
	return output.map(({ json }, index) => {
		const error = errorOf({ output }, index);
		return error ? String(Object(error).message) : `${json.action} ${json.name}`;
	});
}

/** What a night says, but for what the agent has beside the folder, as in most tests. */
export function hintsOf({ hints }: Run, wanted: 'warning' | 'info' | 'any' = 'warning'): string[] {
	return hints
		.filter(({ type }) => wanted === 'any' || type === wanted)
		.map(({ message }) => message)
		.filter((message) => !/are not in this folder: |still in CometChat: /.test(message));
}
