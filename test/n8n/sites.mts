import type { ServiceOptions } from '../service/service.js';

/** The websites that can be crawled: one has a page that is only indexed at the third time. */
export const SITES: ServiceOptions['sites'] = {
	'https://docs.example.com': {
		pages: [{ url: '/' }, { url: '/help/1' }, { url: '/help/2', fails: 2 }, { url: '/prices' }],
	},
};
