import { createText } from './operations/createText';
import { add, remove } from './operations/addRemove';
import { deleteDocuments } from './operations/delete';
import { getAgent } from './operations/getAgent';
import { getContent } from './operations/getContent';
import { getKnowledge } from './operations/getKnowledge';
import { getMany } from './operations/getMany';
import { getManyAttached } from './operations/getManyAttached';
import { getStatus } from './operations/getStatus';
import { replace } from './operations/replace';
import { retryIndexing } from './operations/retryIndexing';
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
	],
	nights,
);
