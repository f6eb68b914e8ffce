import type { ServiceOptions } from '../service/service.js';

/** What is out there to be crawled: a website with a page that can be read only the third time. */
export const SITES: ServiceOptions['sites'] = {
	'https://docs.example.com': {
		pages: [{ url: '/' }, { url: '/help/1' }, { url: '/help/2', fails: 2 }, { url: '/prices' }],
	},
};
