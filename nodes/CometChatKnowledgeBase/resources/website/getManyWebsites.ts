import { websiteFiltersField } from '../../documents/documentFilters';
import { manyDocuments, showAgentsOption } from '../../documents/manyDocuments';
import type { Operation } from '../../execution/operation';
import { limitFields, simplifyField } from '../../input/fields';

export const getManyWebsites: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many websites',
	description:
		'List or find websites of the account by address, status, time or agent, with their IDs',
	fields: [...limitFields, simplifyField, websiteFiltersField],
	options: [showAgentsOption],
	run: manyDocuments('website'),
};
