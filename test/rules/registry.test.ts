import { ValidationIssue } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import {
	nodeProperties,
	operations,
	findOperation,
} from '../../nodes/CometChatKnowledgeBase/resources/registry';

describe('The menu', () => {
	test('a workflow that was saved with version 0.1.0 finds its operations and fields', () => {
		expect(findOperation('add')).toMatchObject({ name: 'Add Files' });
		expect(findOperation('remove')).toMatchObject({ name: 'Remove Files' });
		const names = nodeProperties()
			.filter(({ displayOptions }) => {
				const shown = displayOptions?.show?.operation;
				return shown === undefined || shown.includes('add');
			})
			.map(({ name }) => name);
		expect(names).toEqual(
			expect.arrayContaining(['operation', 'uid', 'sourceType', 'fileIds', 'options']),
		);
	});

	test('an operation that is not on it is refused', () => {
		expect(findOperation('__CUSTOM_API_CALL__')).toBeInstanceOf(ValidationIssue);
		expect(findOperation(undefined)).toBeInstanceOf(ValidationIssue);
	});

	test.each(operations.map((operation) => [operation.name, operation] as const))(
		'%s shows its fields in its own order',
		(_, { value, fields }) => {
			const shown = nodeProperties().filter(({ displayOptions }) =>
				displayOptions?.show?.operation?.includes(value),
			);
			expect(shown.map(({ displayName }) => displayName)).toEqual(
				fields.map(({ displayName }) => displayName),
			);
		},
	);

	test('a field that operations share is one field', () => {
		const types = nodeProperties().filter(({ name }) => name === 'sourceType');
		expect(types.map(({ displayOptions }) => displayOptions?.show?.operation)).toEqual([
			['add', 'remove'],
		]);
	});
});
