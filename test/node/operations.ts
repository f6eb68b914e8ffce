import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Service } from '../service/service';
import type { Run, Scenario, TestFile } from './engine';
import { runNode } from './engine';
import { credentialFor } from './fixture';

/** A resource and one of its operations, as saved workflows name them: several may have a `get`. */
export type OperationName = `${string}.${string}`;

/** Of these, only what is asked for: neither an agent, nor waiting, nor a look at what is there. */
const ONLY = { addToAgent: false, waitUntilIndexed: false, ifNameExists: 'add' };
const BRINGING = ['document.upload', 'text.create', 'text.update', 'text.upsert'];

/** Runs an operation for items that hold these files, or for one item without any. */
export async function runFiles(
	service: Service,
	name: OperationName,
	more: Partial<Scenario> & { options?: INodeParameters } = {},
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

/** A file of the type that its name says: a PDF or DOCX starts as such, unless it is empty. */
export function file(fileName: string, text = `This is ${fileName}.`): TestFile {
	const [, extension = ''] = /\.(\w+)$/.exec(fileName.toLowerCase()) ?? [];
	const start = (text !== '' && STARTS[extension]) || '';
	return { fileName, bytes: new TextEncoder().encode(`${start}${text}`) };
}

export const STARTS: Record<string, string> = { pdf: '%PDF-1.7 ', docx: 'PK\x03\x04' };

/** A run in which an item that failed does not end it. */
export const continuing = { onError: 'continueRegularOutput' as const };

export const agent = (uid: string) => ({ __rl: true, mode: 'id', value: uid });

/** Whether a note says that a list goes on behind its limit. */
export function isCut({ hints }: Run): boolean {
	return hints.some(({ message }) => message.includes("For more, increase 'Limit'"));
}

/** What arrived at both hosts, in order: `initiate guide.pdf`, `upload guide.pdf`, `poll ID`, … */
export function arrivals(service: Service): string[] {
	return service.log
		.filter(({ kind }) => kind === 'arrived')
		.map(({ operation, fileNames, uniqueIds, uid, uniqueId }) =>
			[operation, uid, (fileNames ?? uniqueIds ?? [uniqueId]).join()].filter(Boolean).join(' '),
		);
}

/**
 * The words and the details of an item that failed in a run that continues, in one object, with the status of its
 * row: that of the answer, where there is one, counts.
 */
export function errorOf({ output }: Pick<Run, 'output'>, index = 0): unknown {
	const { error, status } = output[index]?.json ?? {};
	if (error === undefined || error === null) return undefined;
	const { details, ...words } = Object(error);
	return { ...(typeof status === 'string' && { status }), ...Object(details), ...words };
}

/** What a field names that is picked from such a list. */
const PICKED: Record<string, string> = {
	...{ searchAgents: 'agent', searchDocuments: 'file', searchUploads: 'file' },
	...{ searchTexts: 'text', searchUsers: 'user', searchWebsites: 'site' },
};

/**
 * What somebody has to fill in.
 *
 * @param expressionFor What names such a thing: an agent, file, text, site or user, or what is new.
 * @param given What is filled in already.
 */
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
