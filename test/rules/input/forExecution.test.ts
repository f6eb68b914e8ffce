import {
	forExecution,
	numberField,
	switchField,
} from '../../../nodes/CometChatKnowledgeBase/input/field';
import { shownValue, valueForAll } from '../../../nodes/CometChatKnowledgeBase/input/forExecution';
import { UserError } from '../../../nodes/CometChatKnowledgeBase/values/failure';
import { takenOrRefused } from '../expectRefused';

const limit = forExecution(
	numberField({
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 50,
	}),
);

const read = async (values: unknown[]) =>
	await takenOrRefused(
		valueForAll(
			{
				label: 'Limit',
				count: values.length,
				read: (index) => limit.read(values[index]),
				shown: (value) => shownValue(limit, value),
			},
			async () => undefined,
		),
	);

test.each([
	[[20], 20],
	[[20, 20, 20], 20],
	// What gives nothing has the default.
	[[50, '', undefined], 50],
])('%j is one value for all items: %j', async (values, one) => {
	expect(await read(values)).toBe(one);
});

test.each([
	[[20, 30], "'Limit' differs between items: 20 (item 1), 30 (item 2)"],
	[[20, '', 20, 20], "'Limit' differs between items: 20 (items 1, 3–4), 50 (item 2)"],
	[[1, 2, 3, 4, 5, 6, 7], '4 (item 4), 5 (item 5), and 2 more'],
	[[20, 'x'], "'Limit' is not a whole number from 0 to 100 [item 2]"],
])('%j is refused: %s', async (values, title) => {
	const found = await read(values);
	expect(found).toBeInstanceOf(UserError);
	expect(found).toMatchObject({ title: expect.stringContaining(title) });
});

test('an option says whether it applies to the whole execution', () => {
	const dry = switchField({ displayName: 'Dry', name: 'dry', type: 'boolean', default: false });
	expect([forExecution(dry).isForExecution, 'isForExecution' in dry]).toEqual([true, false]);
});
