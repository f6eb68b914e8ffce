import { askAgent } from './operations/askAgent';
import { createAgent } from './operations/createAgent';
import { createText } from './operations/createText';
import { add, remove } from './operations/addRemove';
import { deleteDocuments } from './operations/delete';
import { getAgent } from './operations/getAgent';
import { getContent } from './operations/getContent';
import { getKnowledge } from './operations/getKnowledge';
import { getManyAgents } from './operations/getManyAgents';
import { getMany } from './operations/getMany';
import { getManyAttached } from './operations/getManyAttached';
import { getText } from './operations/getText';
import { getStatus } from './operations/getStatus';
import { replace } from './operations/replace';
import { retryIndexing } from './operations/retryIndexing';
import { splitText } from './operations/splitText';
import { updateAgent } from './operations/updateAgent';
import { updateText } from './operations/updateText';
import { upsertText } from './operations/upsertText';
import { upload } from './operations/upload';
import { nights } from './nights/nights';
import { holds } from './suite';

holds(
	[
		add,
		remove,
		upload,
		createText,
		getMany,
		getStatus,
		deleteDocuments,
		replace,
		retryIndexing,
		getAgent,
		getKnowledge,
		getContent,
		getManyAttached,
		getManyAgents,
		createAgent,
		updateAgent,
		getText,
		updateText,
		upsertText,
		splitText,
		askAgent,
	],
	nights,
);
