import { filtersField } from '../../documents/documentFilters';
import { manyDocuments, showAgentsOption } from '../../documents/manyDocuments';
import type { Operation } from '../../execution/operation';
import { limitFields, simplifyField } from '../../input/fields';

export const getManyDocuments: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Find documents (also those no agent uses)',
	description:
		'List or find files, texts and websites of the account, with status, IDs and, if wanted, agents',
	fields: [...limitFields, simplifyField, filtersField],
	options: [showAgentsOption],
	run: manyDocuments(),
};
