import { filtersField } from '../../documents/documentFilters';
import { manyDocuments } from '../../documents/manyDocuments';
import type { Operation } from '../../execution/operation';
import { limitFields, optionsField, showAgentsOption, simplifyField } from '../../input/fields';

export const getManyDocuments: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many documents',
	description:
		'List or find files, texts and websites of the account, with their IDs, indexing status and, if wanted, the agents that have them',
	fields: [...limitFields, simplifyField, filtersField, optionsField(showAgentsOption)],
	run: manyDocuments(),
};
