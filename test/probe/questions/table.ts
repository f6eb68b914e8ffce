import type { Question } from '../question';
import { addingTwice, agentFiles, patchSuccess, sourceTypes, uidCase } from './agents';
import { deleting, deletingTwice } from './deleting';
import { failures, statusWords, unindexed, unknownStatus, whenIndexed } from './indexing';
import { fileSizes, idsPerPoll, rateHeaders, textLengths } from './limits';
import { agentPages, recordBounds, recordIds, recordPages, websites } from './lists';
import { refusals, wrongAccount } from './refusals';
import { textSourceType, textType, textWriting } from './texts';
import {
	announcing,
	fileTypes,
	sameName,
	sendingBytes,
	sendingTwice,
	uploadAddress,
	uploadsListed,
	withoutBytes,
} from './uploads';

/** Asked first: they make nothing, and whether the key is accepted shows here. */
export const READING: Question[] = [agentPages, recordBounds, recordIds, websites];

/**
 * Asked once there is an agent, in an order in which each finds what it needs: made, sent, indexed,
 * added, listed, deleted.
 *
 * Not asked, because it would crawl somebody's website or need one of the account: whether crawling
 * indexes by itself, makes a record of a single page or a second one of the same address, what an
 * empty list means to the retry of its pages, and whether an agent can be given a website.
 */
export const WITH_AGENT: Question[] = [
	uidCase,
	sourceTypes,
	refusals,
	wrongAccount,
	announcing,
	uploadAddress,
	sendingBytes,
	sendingTwice,
	whenIndexed,
	unindexed,
	addingTwice,
	sameName,
	fileTypes,
	uploadsListed,
	withoutBytes,
	failures,
	textWriting,
	textType,
	textSourceType,
	agentFiles,
	unknownStatus,
	statusWords,
	idsPerPoll,
	recordPages,
	fileSizes,
	textLengths,
	deleting,
	deletingTwice,
	patchSuccess,
	rateHeaders,
];
