import type { INodeProperties } from 'n8n-workflow';

import { described } from '../../ingestion/sameName';
import { composed } from '../../input/document';
import type { KnowledgeBaseRecord } from '../../service/records';
import { quoted } from '../../values/quoting';
import type { ShownText, Words } from '../../values/shown';
import { listed, worded } from '../../values/shown';

/** The kind of document that a file becomes. */
export const SOURCE_TYPE: Words = 'uploads';

export const deleteOldField: INodeProperties = {
	displayName: 'Delete Old Version',
	name: 'deleteOldVersion',
	type: 'options',
	options: [
		{
			name: 'Always',
			value: 'always',
			description: 'Delete it for good, also from every other agent that has it',
		},
		{
			name: 'If No Other Agent Has It',
			value: 'ifUnused',
			description:
				"Look at the agents' lists first, and keep it if another agent has it or the lists do not tell",
		},
		{
			name: 'Never',
			value: 'never',
			description: 'Only take it from this agent. CometChat then has two files of that name.',
		},
	],
	default: 'ifUnused',
	description:
		'Whether to delete the old version from CometChat, once the new one is in its place and this agent no longer has the old one',
};

/** What stays with the agent of a document's names, beside the new version. */
export function stillNamed(others: KnowledgeBaseRecord[], timeZone: string): ShownText {
	const names = new Set(others.map(({ sourceName = '' }) => quoted(composed(sourceName))));
	const uploads = others.length === 1 ? '1 other file' : worded`${others.length} other files`;
	return worded`The agent still has ${uploads} named ${listed([...names])}: ${described(others, timeZone)}. Take old versions from it with Remove Files; or set 'Find Old Version By' to All of That Name, which replaces them all`;
}
