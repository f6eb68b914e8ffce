import type { Sites } from '../service/sites.js';

/** What is out there to be crawled: a website with a page that can be read only the second time. */
export const SITES: Sites = {
	'https://docs.example.com': {
		pages: [{ url: '/' }, { url: '/help/1' }, { url: '/help/2', fails: 1 }, { url: '/prices' }],
	},
};
