import {
	forExecution,
	numberField,
	optionValues,
} from '../../../nodes/CometChatKnowledgeBase/fields/field';
import { checkSame } from '../../../nodes/CometChatKnowledgeBase/fields/itemOptions';
import { toResultSync, UserError } from '../../../nodes/CometChatKnowledgeBase/text/failure';

const limit = forExecution(
	numberField({
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 50,
	}),
);

const check = (values: unknown[]) =>
	toResultSync(() =>
		checkSame(limit, values.length, (index) => optionValues([limit], { limit: values[index] })),
	);

test.each([[[20]], [[20, 20, 20]], [[50, '', 50]]])('%j is one value for all items', (values) => {
	expect(check(values)).toBeUndefined();
});

test.each([
	[[20, 30], 'Items 1, 2 have different values: "Limit"'],
	[[20, '', 20, 20], 'Items 1, 2, 3, 4 have different values: "Limit"'],
	[[20, 'x'], `'Limit' is "x", not a whole number from 0 to 100 [item 2]`],
])('%j is refused: %s', (values, title) => {
	const found = check(values);
	expect(found).toBeInstanceOf(UserError);
	expect(found).toMatchObject({ title: expect.stringContaining(title) });
});
