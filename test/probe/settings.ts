import { readAccount } from '../../nodes/CometChatKnowledgeBase/account/account';
import { ValidationIssue } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Settings } from './client';

export const NO_KEY = Symbol('no key');

export const HOW_TO_RUN = `With your own app's values in the environment:

  COMETCHAT_APP_ID=…  COMETCHAT_REGION=us|eu|in  COMETCHAT_API_KEY=…  npm run probe

  COMETCHAT_BASE_URL    address of a dedicated deployment, instead of app ID and region

  npm run probe -- --json               the findings as JSON
  npm run probe -- --files-may-be-made  upload a few tiny files, write a text or two, and delete them:
                                        without it nothing is asked about uploads, texts and deletion

An agent is made and deleted again; your own agents, files and texts are only listed, never changed.
Each answer is saved below probe-answers/, without the key, upload addresses, and names and IDs of
your own: files that you can hand on.`;

/** @param environment As `process.env`. */
export function readSettings(
	environment: Record<string, string | undefined>,
	filesMayBeMade: boolean,
): Settings | ValidationIssue | typeof NO_KEY {
	const value = (name: string) => environment[`COMETCHAT_${name}`]?.trim() ?? '';
	const apiKey = value('API_KEY');
	if (apiKey === '') return NO_KEY;
	const baseUrl = value('BASE_URL');
	const region = baseUrl === '' ? value('REGION').toLowerCase() : 'custom';
	const fields = { region, appId: value('APP_ID'), baseUrl, apiKey };
	const account = readAccount(fields);
	return account instanceof ValidationIssue ? account : { fields, account, filesMayBeMade };
}
