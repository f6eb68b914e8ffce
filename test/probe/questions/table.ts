import type { Questions } from '../question';
import { AFTERWARDS } from './afterwards';
import { AGENTS } from './agents';
import { LISTS, RECORD_PAGES } from './lists';
import { TEXTS } from './texts';
import { UPLOADS } from './uploads';

/**
 * All that is asked, in an order in which each finds what it needs: made, sent, indexed, added, listed,
 * deleted.
 *
 * Not asked, because it would crawl somebody's website or need one of the account: whether crawling
 * indexes by itself, makes a record of a single page or a second one of the same address, what an
 * empty list means to the retry of its pages, whether a retry fetches them anew, which statuses a
 * crawl has, and whether an agent can be given a website.
 */
export const QUESTIONS: Questions = {
	...LISTS,
	...AGENTS,
	...UPLOADS,
	...TEXTS,
	...RECORD_PAGES,
	...AFTERWARDS,
};
