import type { Agents } from './agents';
import type { KnowledgeBases } from './knowledgeBases';
import type { Messages } from './messages';
import type { Records } from './records';
import type { Texts } from './texts';
import type { Uploads } from './uploads';
import type { Websites } from './websites';

/** Everything that the service holds. */
export interface Holdings {
	agents: Agents;
	knowledgeBases: KnowledgeBases;
	messages: Messages;
	records: Records;
	texts: Texts;
	uploads: Uploads;
	websites: Websites;
}
