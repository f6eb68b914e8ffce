import { Complaint } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import {
	fieldsOfMenu,
	menu,
	operationNamed,
} from '../../nodes/CometChatKnowledgeBase/resources/registry';

describe('The menu', () => {
	test('a workflow that was saved with version 0.1.0 finds its operations and fields', () => {
		expect(operationNamed('add')).toMatchObject({ name: 'Add Files' });
		expect(operationNamed('remove')).toMatchObject({ name: 'Remove Files' });
		const names = fieldsOfMenu()
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
		expect(operationNamed('__CUSTOM_API_CALL__')).toBeInstanceOf(Complaint);
		expect(operationNamed(undefined)).toBeInstanceOf(Complaint);
	});

	test.each(menu.map((operation) => [operation.name, operation] as const))(
		'%s shows its fields in its own order',
		(_, { value, fields }) => {
			const shown = fieldsOfMenu().filter(({ displayOptions }) =>
				displayOptions?.show?.operation?.includes(value),
			);
			expect(shown.map(({ displayName }) => displayName)).toEqual(
				fields.map(({ displayName }) => displayName),
			);
		},
	);

	test('a field that operations share is one field', () => {
		const types = fieldsOfMenu().filter(({ name }) => name === 'sourceType');
		expect(types.map(({ displayOptions }) => displayOptions?.show?.operation)).toEqual([
			['add', 'remove'],
		]);
	});
});
