import { described, TAKE_OUTDATED } from '../../ingestion/sameName';
import { composed } from '../../input/document';
import { choiceOption } from '../../input/options';
import type { KnowledgeBaseRecord } from '../../service/records';
import { listed, quoted } from '../../values/quoting';

/** The kind of document that a file becomes. */
export const SOURCE_TYPE: string = 'uploads';

export const deleteOldOption = choiceOption({
	displayName: 'Delete Old Version',
	name: 'deleteOldVersion',
	type: 'options',
	options: [
		{
			name: 'Always',
			value: 'always',
			description: 'The old one is deleted for good, and every other agent that has it loses it',
		},
		{
			name: 'If No Other Agent Has It',
			value: 'ifUnused',
			description:
				'The old one is deleted for good, unless another agent has it or CometChat does not tell',
		},
		{
			name: 'Never',
			value: 'never',
			description: 'The old one is taken from this agent and stays in CometChat',
		},
	],
	default: 'ifUnused',
	description: 'What becomes of the old version once the agent has the new one in its place',
});

/** What stays with the agent of a document's names, beside the new version. */
export function stillNamed(others: KnowledgeBaseRecord[], timeZone: string): string {
	const names = new Set(others.map(({ sourceName = '' }) => quoted(composed(sourceName))));
	const uploads = others.length === 1 ? '1 other file' : `${others.length} other files`;
	return `The agent still has ${uploads} named ${listed([...names])}: ${described(others, timeZone)}. ${TAKE_OUTDATED} 'Find Old Version By: All of That Name' replaces them all`;
}
