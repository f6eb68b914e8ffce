import type { Account } from '../../nodes/CometChatKnowledgeBase/account/account';
import { readAccount } from '../../nodes/CometChatKnowledgeBase/account/account';
import { readUid } from '../../nodes/CometChatKnowledgeBase/input/identifiers';
import { Complaint } from '../../nodes/CometChatKnowledgeBase/values/complaint';
import { NO_FILE_IDS, readFileIds } from '../../nodes/CometChatKnowledgeBase/input/fileIds';

/** What the person who runs the probe has given it. */
export interface Given {
	/** As the node's credential holds them. */
	fields: Record<string, unknown>;
	account: Account;
	/** An existing agent whose files may be added and removed, if its state can be put back. */
	agentUid?: string;
	/** The only files of the account that are ever attached or detached. */
	fileIds: string[];
	/** Use that agent even if nobody can tell which files it has now. */
	agentMayChange: boolean;
	/** Make tiny files and texts, which are deleted again. */
	filesMayBeMade: boolean;
}

/** What the person has allowed beyond what is put back by looking. */
export type Consent = Pick<Given, 'agentMayChange' | 'filesMayBeMade'>;

export const NO_KEY = Symbol('no key');

export const HOW_TO_RUN = `With your own app's values in the environment:

  COMETCHAT_APP_ID=…  COMETCHAT_REGION=us|eu|in  COMETCHAT_API_KEY=…  npm run probe

  COMETCHAT_BASE_URL    address of a dedicated deployment, instead of app ID and region
  COMETCHAT_FILE_IDS    files to attach and detach, separated by commas; they are not altered
  COMETCHAT_AGENT_UID   an agent to do that with; left out, an agent is made and deleted

  npm run probe -- --json               the findings as JSON
  npm run probe -- --agent-may-change   use that agent even if its files can't be read before
  npm run probe -- --files-may-be-made  upload a few tiny files, write a text or two, and delete them:
                                        without it nothing is asked about uploads, texts and deletion`;

/** @param environment As `process.env`. */
export function readGiven(
	environment: Record<string, string | undefined>,
	consent: Consent,
): Given | Complaint | typeof NO_KEY {
	const value = (name: string) => environment[`COMETCHAT_${name}`]?.trim() ?? '';
	const apiKey = value('API_KEY');
	if (apiKey === '') return NO_KEY;

	const baseUrl = value('BASE_URL');
	const region = baseUrl === '' ? value('REGION').toLowerCase() : 'custom';
	const fields = { region, appId: value('APP_ID'), baseUrl, apiKey };
	const account = readAccount(fields);
	if (account instanceof Complaint) return account;

	const uid = value('AGENT_UID');
	const agentUid = uid === '' ? undefined : readUid(uid);
	if (agentUid instanceof Complaint) return agentUid;
	const files = readFileIds(value('FILE_IDS'));
	if (files instanceof Complaint) return files;
	const fileIds = files === NO_FILE_IDS ? [] : files.ids;
	return { fields, account, agentUid, fileIds, ...consent };
}
