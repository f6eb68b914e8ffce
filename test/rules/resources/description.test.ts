import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { CometChatApi } from '../../../credentials/CometChatApi.credentials';
import { CometChatKnowledgeBase } from '../../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBase.node';
import { CometChatKnowledgeBaseTrigger } from '../../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBaseTrigger.node';

const { description } = new CometChatKnowledgeBase();
const { description: trigger } = new CometChatKnowledgeBaseTrigger();
const { properties } = new CometChatApi();

/**
 * n8n's main repository has lint rules that no published plugin has yet. They read the literals in a `.node.ts`, but
 * our fields are made from the operations, so they would miss them.
 *
 * @see https://github.com/n8n-io/n8n/tree/master/packages/%40n8n/eslint-plugin-community-nodes/docs/rules
 */
describe("n8n's newest rules for what a node shows", () => {
	test('hint-max-length: no hint has more than 120 characters', () => {
		const hints = [...description.properties, ...trigger.properties, ...properties]
			.flatMap(withNested)
			.map(hintOf);
		expect(hints.filter((hint) => hint.length > 120)).toEqual([]);
		expect(hints.filter((hint) => hint !== '').length).toBeGreaterThan(3);
	});

	test('open-ended-node-fields: no field takes any JSON', () => {
		const types = description.properties.flatMap(withNested).map(({ type }) => type);
		expect(types).not.toContain('json');
	});
});

type Part = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** Returns the field, and the fields inside it. */
function withNested(field: INodeProperties): INodeProperties[] {
	const parts: Part[] = field.options ?? [];
	const nested = parts.flatMap((part) => {
		if ('type' in part) return [part];
		return 'values' in part ? part.values : [];
	});
	return [field, ...nested.flatMap(withNested)];
}

function hintOf({ hint = '' }: INodeProperties): string {
	return hint;
}
