import type { Operation } from './address';
import { KNOWLEDGE_BASE } from './address';
import type { Agents } from './agents';
import type { Records, Source, SourceType } from './records';
import { typeOf } from './records';
import { noSuchRecord } from './refusal';
import type { Route } from './routes';
import { route } from './routes';
import type { ServiceOptions } from './service';
import { textFileName } from './texts';

/** For each kind of source, what the answer to its deletion says. */
const KINDS: Array<{
	operation: Operation;
	type: SourceType;
	message: string;
	names(source: Source): object;
}> = [
	{
		operation: 'deleteUpload',
		type: 'uploads',
		message: 'File deleted successfully',
		names: ({ record: { uniqueId, sourceName } }) => {
			return { uploadId: uniqueId, fileName: sourceName, s3FileDeleted: true };
		},
	},
	{
		operation: 'deleteText',
		type: 'text',
		message: 'Text detail deleted successfully',
		names: ({ record: { uniqueId } }) => ({ uniqueId, fileName: textFileName(uniqueId) }),
	},
	{
		operation: 'deleteWebsite',
		type: 'website',
		message: 'Website deleted successfully',
		names: ({ record: { uniqueId } }) => ({ uniqueId }),
	},
];

/** Deletes sources for good, an upload even before its bytes are there. */
export function deletions(records: Records, agents: Agents, options: ServiceOptions): Route[] {
	return KINDS.map(({ operation, type, message, names }) =>
		route(operation, `DELETE ${KNOWLEDGE_BASE}/${type}/{uniqueId}`, {}, ({ uniqueId }) => {
			const source = records.get(uniqueId);
			if (source === undefined || typeOf(source) !== type) throw noSuchRecord(uniqueId);
			const detaches = options.deleting !== 'keepAttached';
			const done = { deletedFromAgents: detaches, vectorsDeleted: true };
			const change = () => {
				records.remove(source);
				if (detaches) agents.detachAll(uniqueId);
			};
			const data = { ...names(source), ...done };
			return { body: () => ({ success: true, message, data }), change };
		}),
	);
}
