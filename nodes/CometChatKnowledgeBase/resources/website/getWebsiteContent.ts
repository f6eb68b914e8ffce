import { contentOf, outputField, maxCharactersOption } from '../../documents/content';
import type { Operation } from '../../execution/operation';
import { websiteField } from '../../input/fields';
import { readWebsiteId } from '../../input/identifiers';
import { explainForWebsite } from '../../results/messages';

export const getWebsiteContent: Operation = {
	value: 'getContent',
	name: 'Get Content',
	action: 'Get the text of a website',
	description:
		'Read the text that CometChat has taken from the pages of a website: what agents answer from',
	fields: [websiteField, outputField],
	options: [maxCharactersOption],
	run: contentOf({
		field: 'website',
		readId: readWebsiteId,
		sourceTypeIn: () => 'website',
		words: explainForWebsite,
	}),
};
