import type { Resource } from '../../execution/operation';
import { addFiles, removeFiles } from './changeFiles';
import { getKnowledge } from './getKnowledge';
import { replaceFile } from './replaceFile';
import { syncFiles } from './sync/syncFiles';

export const knowledgeBase: Resource = {
	value: 'knowledgeBase',
	name: "Agent's Knowledge Base",
	operations: [addFiles, removeFiles, replaceFile, syncFiles, getKnowledge],
	initial: addFiles,
};
