import { filtersField } from '../../documents/documentFilters';
import { getManyReader, manyDocuments, showAgentsOption } from '../../documents/manyDocuments';
import { itemByItem } from '../../execution/items';
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
	output: [
		...(['name', 'status', 'uniqueId', 'sourceType', 'reason', 'agents', 'agentIds'] as const),
		...(['createdAt', 'updatedAt'] as const),
	],
	run: itemByItem(getManyReader, manyDocuments),
};
