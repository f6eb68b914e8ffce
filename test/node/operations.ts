import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Service } from '../service/service';
import type { Run, Scenario, TestFile } from './engine';
import { runNode } from './engine';
import { credentialFor } from './fixture';

/** A resource and its operation, by their values in saved workflows. */
export type OperationName = `${string}.${string}`;

/** The parameters of a minimal execution: without an agent, a wait or a search for existing documents. */
const ONLY = { addToAgent: false, waitUntilIndexed: false, ifNameExists: 'add' };
const BRINGING = ['document.upload', 'text.create', 'text.update', 'text.upsert'];

/** The settings of a run in addition to its operation. */
export type More = Partial<Scenario> & { options?: INodeParameters };

/** Runs an operation for items with these files, or for one item without any. */
export async function runFiles(
	service: Service,
	name: OperationName,
	more: More = {},
): Promise<Run> {
	const { options = {}, parameters = {}, files, ...scenario } = more;
	const [resource, operation] = name.split('.');
	const alone = BRINGING.includes(name) ? ONLY : {};
	return await runNode({
		items: files?.map(() => ({})) ?? [{}],
		files,
		credential: credentialFor(service),
		...scenario,
		parameters: { resource, operation, ...alone, options, ...parameters },
	});
}

/** Prepares runs of an operation with one item, which fails alone. `more` replaces the item. */
export function prepareRun(
	service: () => Service,
	name: OperationName,
	usual: INodeParameters = {},
) {
	return async (parameters: INodeParameters = {}, more: More = {}): Promise<Run> =>
		await runFiles(service(), name, {
			...continuing,
			...more,
			parameters: { ...usual, ...parameters },
		});
}

/** Makes a file of the type in its name: a PDF or DOCX has its first bytes, unless it is empty. */
export function file(fileName: string, text = `This is ${fileName}.`): TestFile {
	const [, extension = ''] = /\.(\w+)$/.exec(fileName.toLowerCase()) ?? [];
	const start = (text !== '' && STARTS[extension]) || '';
	return { fileName, bytes: new TextEncoder().encode(`${start}${text}`) };
}

export const STARTS: Record<string, string> = { pdf: '%PDF-1.7 ', docx: 'PK\x03\x04' };

export const continuing = { onError: 'continueRegularOutput' as const };

export const agent = (uid: string) => ({ __rl: true, mode: 'id', value: uid });

/** Whether a note reports that a list has more entries than its limit. */
export function isCut({ hints }: Run): boolean {
	return hints.some(({ message }) => message.includes("For more, increase 'Limit'"));
}

/** Returns the requests to both hosts, in order: `initiate guide.pdf`, `upload guide.pdf`, `poll ID`, … */
export function arrivals(service: Service): string[] {
	return service.log
		.filter(({ kind }) => kind === 'arrived')
		.map(({ operation, fileNames, uniqueIds, uid, uniqueId }) =>
			[operation, uid, (fileNames ?? uniqueIds ?? [uniqueId]).join()].filter(Boolean).join(' '),
		);
}

/** Returns the message and the details of a failed item as one object, with the response's status, or the row's. */
export function errorOf({ output }: Pick<Run, 'output'>, index = 0): unknown {
	const { error, status } = output[index]?.json ?? {};
	if (error === undefined || error === null) return undefined;
	const { details, ...words } = Object(error);
	return { ...(typeof status === 'string' && { status }), ...Object(details), ...words };
}

/** The kind of an entry in a list of the editor. */
const PICKED: Record<string, string> = {
	...{ searchAgents: 'agent', searchDocuments: 'file', searchUploads: 'file' },
	...{ searchTexts: 'text', searchUsers: 'user', searchWebsites: 'site' },
};

/** Returns the required fields with their values. @param expressionFor Returns an ID or a new name. */
export function needed(
	fields: INodeProperties[],
	expressionFor: (kind: string) => string,
	given: INodeParameters = {},
): INodeParameters {
	const chosen = (field: string) =>
		given[field] ?? fields.find(({ name }) => name === field)?.default;
	const isNeeded = ({ displayOptions, required = false }: INodeProperties) =>
		required &&
		Object.entries(displayOptions?.show ?? {}).every(([name, of]) =>
			of?.some((value) => value === chosen(name)),
		);
	const values: INodeParameters = {};
	for (const { name, type, default: value, modes = [] } of fields.filter(isNeeded)) {
		const list = modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? [])[0];
		if (list !== undefined) values[name] = agent(expressionFor(PICKED[list] ?? list));
		else if (type === 'string' && value !== '*')
			values[name] = expressionFor(name === 'fileIds' ? 'file' : 'New ');
	}
	return values;
}
