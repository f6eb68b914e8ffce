import type { Answer } from './answer';
import type { Holdings } from './holdings';
import type { ReceivedRequest } from './log';
import type { Records } from './records';
import { sourceTypeOf } from './records';
import type { Envelope, Refusal } from './refusal';
import { badRequest, noSuchAgent, noSuchFile, refuse } from './refusal';

/** What is undocumented about adding; one refused ID refuses the whole request. */
export interface ChangeOptions {
	/** What a change of an unknown agent does; 'refuse' if left out. */
	unknownAgents?: 'refuse' | 'create';
	/** Adding an ID that the service does not hold, or not of that source type; 'accept' if left out. */
	unknownFiles?: 'accept' | 'refuse';
	/** Adding a file that it holds but has not indexed (yet); 'accept' if left out. */
	unindexedFiles?: 'accept' | 'refuse';
}

const TYPES = ['uploads', 'text', 'website'];

/** Adds or removes files. What is removed may be unknown and in any state. */
export function changeFiles(
	{ uid = '', sourceType = '', uniqueIds }: ReceivedRequest,
	operation: 'add' | 'remove',
	{ agents, knowledgeBases, records }: Holdings,
	options: ChangeOptions,
	envelope: Envelope,
): Answer {
	if (!agents.has(uid) && options.unknownAgents !== 'create') {
		return refuse(noSuchAgent(uid, envelope));
	}
	if (uniqueIds === undefined) return refuse(badRequest('uniqueIds must be a list of texts.'));
	if (operation === 'add') {
		const refused = refuseFiles(uniqueIds, sourceType, records, options, envelope);
		if (refused !== undefined) return refuse(refused);
	}
	const change = () => {
		if (!agents.has(uid)) agents.create(uid);
		knowledgeBases[operation](uid, sourceType, uniqueIds);
	};
	return { status: 200, body: () => ({ success: true }), change };
}

function refuseFiles(
	uniqueIds: string[],
	sourceType: string,
	records: Records,
	{ unknownFiles, unindexedFiles }: ChangeOptions,
	envelope: Envelope,
): Refusal | undefined {
	if (unknownFiles !== 'refuse' && unindexedFiles !== 'refuse') return undefined;
	const isAnyType = !TYPES.includes(sourceType);
	for (const id of uniqueIds) {
		const record = records.get(id);
		const isKnown = record !== undefined && (isAnyType || sourceTypeOf(record.type) === sourceType);
		if (!isKnown) {
			if (unknownFiles === 'refuse') return noSuchFile(id, envelope);
		} else if (unindexedFiles === 'refuse') {
			const message = `Knowledge base record with uniqueId ${id} is not indexed: ${record.status}`;
			if (record.status === 'failed')
				return { status: 400, code: 'ERR_KB_INDEXING_FAILED', message, envelope };
			if (record.status === 'indexing')
				return { status: 400, code: 'ERR_BAD_REQUEST', message, envelope };
		}
	}
	return undefined;
}
