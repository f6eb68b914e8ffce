import { filtersField } from '../../documents/documentFilters';
import { manyDocuments, showAgentsOption } from '../../documents/manyDocuments';
import type { Operation } from '../../execution/operation';
import { limitFields, simplifyField } from '../../input/fields';

export const getManyDocuments: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many documents',
	description:
		'List or find files, texts and websites of the account, with their IDs, indexing status and, if wanted, the agents that have them',
	fields: [...limitFields, simplifyField, filtersField],
	options: [showAgentsOption],
	run: manyDocuments(),
};
