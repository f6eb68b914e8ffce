import { nights } from './nights/nights';
import type { Operation } from './operation';
import { askAgent } from './operations/askAgent';
import { createAgent } from './operations/createAgent';
import { crawlWebsite } from './operations/crawlWebsite';
import { createText } from './operations/createText';
import { add, remove } from './operations/addRemove';
import { deleteDocuments } from './operations/delete';
import { getAgent } from './operations/getAgent';
import { getContent } from './operations/getContent';
import { getKnowledge } from './operations/getKnowledge';
import { getManyAgents } from './operations/getManyAgents';
import { getMany } from './operations/getMany';
import { getPages } from './operations/getPages';
import { getManyAttached } from './operations/getManyAttached';
import { getText } from './operations/getText';
import { getStatus } from './operations/getStatus';
import { replace } from './operations/replace';
import { retryIndexing } from './operations/retryIndexing';
import { retryPages } from './operations/retryPages';
import { splitText } from './operations/splitText';
import { updateAgent } from './operations/updateAgent';
import { updateText } from './operations/updateText';
import { upsertText } from './operations/upsertText';
import { upload } from './operations/upload';
import {
	addWebsite,
	deleteWebsite,
	getManyWebsites,
	getWebsiteContent,
	getWebsiteStatus,
	removeWebsite,
	retryWebsite,
} from './operations/website';

/** Files, and what agents have of them. Two parts, that two cores share. */
export const ofFiles: Operation[] = [
	add,
	remove,
	upload,
	getMany,
	getStatus,
	deleteDocuments,
	replace,
	retryIndexing,
	getKnowledge,
	getContent,
	getManyAttached,
];

/** Texts, websites and agents. */
export const ofOthers: Operation[] = [
	askAgent,
	createAgent,
	updateAgent,
	getAgent,
	getManyAgents,
	createText,
	getText,
	updateText,
	upsertText,
	splitText,
	getPages,
	retryPages,
	addWebsite,
	removeWebsite,
	getManyWebsites,
	getWebsiteContent,
	getWebsiteStatus,
	retryWebsite,
	deleteWebsite,
	crawlWebsite,
];

export const played = [...ofFiles, ...ofOthers, nights];
