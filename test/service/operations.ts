import type { Operation } from './address';
import type { AgentOptions } from './agentAnswers';
import { getAgent, listAgents } from './agentAnswers';
import { createAgent, listModels, updateAgent } from './agentSettings';
import type { Answer } from './answer';
import type { ChangeOptions } from './change';
import { changeFiles } from './change';
import type { DeletionOptions } from './deletion';
import { deleteSource } from './deletion';
import { NO_SUCH_API } from './description';
import type { Holdings } from './holdings';
import { initiateUploads } from './initiate';
import type { ReceivedRequest } from './log';
import type { AnsweringOptions } from './messages';
import { deleteMessage, listChat, listThread, sendMessage } from './messages';
import type { LookingOptions } from './recordAnswers';
import { listRecords, pollStatus, reindex } from './recordAnswers';
import type { PageOptions } from './pages';
import { getPages } from './pages';
import type { Envelope } from './refusal';
import { refuse } from './refusal';
import type { TextOptions } from './texts';
import { createText, getText, listTexts, updateText } from './texts';
import { crawl, listFound, pollFound, processFound, retryFound } from './websiteAnswers';
import type { WebsiteOptions } from './websites';
import { listUsers } from './users';

/** How the operations behave where the documentation leaves it open. */
export interface OperationOptions
	extends
		Omit<AgentOptions, 'lagsMs'>,
		ChangeOptions,
		DeletionOptions,
		PageOptions,
		Omit<LookingOptions, 'lagsMs'>,
		Omit<TextOptions, 'lagsMs'>,
		WebsiteOptions {
	answering?: AnsweringOptions;
	/** How far behind each list is, in milliseconds; may change meanwhile. */
	lagsMs?: AgentOptions['lagsMs'] & LookingOptions['lagsMs'] & TextOptions['lagsMs'];
	/**
	 * What 'initiate', 'create text' and 'create agent' answer: 200 in older copies of the documentation, 201 in the
	 * newest; 201 if left out.
	 */
	createdStatus?: 200 | 201;
}

/** @param uploadOrigin Where presigned URLs lead to, without a slash at its end. */
export function operations(
	holdings: Holdings,
	options: OperationOptions,
	envelope: Envelope,
	uploadOrigin: string,
): (received: ReceivedRequest) => Answer {
	const { records, uploads } = holdings;
	const created = options.createdStatus ?? 201;
	const table: Record<Operation, (received: ReceivedRequest) => Answer> = {
		list: (received) => listAgents(received, holdings, options),
		agent: (received) => getAgent(received, holdings, options, envelope),
		createAgent: (received) => createAgent(received, holdings, created),
		updateAgent: (received) => updateAgent(received, holdings, envelope),
		models: () => listModels(),
		add: (received) => changeFiles(received, 'add', holdings, options, envelope),
		remove: (received) => changeFiles(received, 'remove', holdings, options, envelope),
		initiate: (received) => initiateUploads(received, uploads, created, uploadOrigin),
		// Nothing at the API: the bytes go to the other host.
		upload: () => refuse(NO_SUCH_API),
		records: (received) => listRecords(received, records, options),
		poll: (received) => pollStatus(received, records, options, envelope),
		createText: (received) => createText(received, holdings, created),
		listTexts: () => listTexts(holdings, options),
		getText: (received) => getText(received, holdings, envelope),
		updateText: (received) => updateText(received, holdings, envelope),
		pages: (received) => getPages(received, holdings, options, envelope),
		crawl: (received) => crawl(received, holdings, options),
		discoveredUrls: (received) => listFound(received, holdings, options.crawling ?? {}, envelope),
		processUrls: (received) => processFound(received, holdings, envelope),
		pollUrls: (received) => pollFound(received, holdings),
		retryUrls: (received) => retryFound(received, holdings, envelope),
		listUsers: (received) => listUsers(received, holdings, options.answering ?? {}),
		sendMessage: (received) => sendMessage(received, holdings, options.answering ?? {}, envelope),
		thread: (received) => listThread(received, holdings, envelope),
		chat: (received) => listChat(received, holdings),
		deleteMessage: (received) => deleteMessage(received, holdings, envelope),
		sync: (received) => reindex(received, records, envelope),
		deleteUpload: (received) => deleteSource(received, 'uploads', holdings, options, envelope),
		deleteText: (received) => deleteSource(received, 'text', holdings, options, envelope),
		deleteWebsite: (received) => deleteSource(received, 'website', holdings, options, envelope),
	};
	return (received) =>
		received.operation === undefined ? refuse(NO_SUCH_API) : table[received.operation](received);
}
