import {
	choiceField,
	numberField,
	readOptions,
	switchField,
} from '../../../nodes/CometChatKnowledgeBase/fields/field';
import { timeoutOption } from '../../../nodes/CometChatKnowledgeBase/fields/fields';
import { refusal } from '../expectRefused';

const minutes = numberField(
	{
		displayName: 'Max Time',
		name: 'maxMinutes',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 60 },
		default: 15,
	},
	{ scale: 60_000 },
);
const dry = switchField({ displayName: 'Dry', name: 'dry', type: 'boolean', default: false });
const ifThere = choiceField({
	displayName: 'If There',
	name: 'ifThere',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail' },
		{ name: 'Skip', value: 'skip' },
	],
	default: 'skip',
});

const read = (given: unknown, own = [minutes, dry, ifThere]) => {
	const option = readOptions(own, given);
	return [option(minutes), option(dry), option(ifThere)];
};

test.each<[unknown, unknown[]]>([
	[undefined, [900_000, false, 'skip']],
	[{}, [900_000, false, 'skip']],
	[{ maxMinutes: 1, dry: true, ifThere: 'fail' }, [60_000, true, 'fail']],
	[{ maxMinutes: ' 10 ', dry: 'TRUE' }, [600_000, true, 'skip']],
])('the options have their values, and the others their defaults: %j', (given, values) => {
	expect(read(given)).toEqual(values);
});

test('an option of another operation in a saved workflow is ignored', () => {
	expect(read({ maxMinutes: 0, dry: true, ifThere: 'fail' }, [])).toEqual([900_000, false, 'skip']);
});

test.each([
	[{ maxMinutes: 61 }, `'Max Time' is "61", not a whole number from 1 to 60`, 'The default is 15'],
	[{ maxMinutes: 2.5 }, `'Max Time' is "2.5", not a whole number from 1 to 60`, 'under Options'],
	[{ dry: 'yes' }, `'Dry' is "yes", which is neither true nor false`, ''],
	[{ ifThere: 'stay' }, `'If There' can't be "stay"`, 'Choose Fail or Skip.'],
	[{ ifThere: undefined }, "'If There' is empty", 'remove the field from Options'],
	[{ dry: '' }, "'Dry' is empty", 'remove the field from Options'],
	[{ maxMinutes: undefined }, "'Max Time' is empty", 'remove the field from Options'],
])('%j is refused with a message', (given, what, hint) => {
	expect(refusal(() => read(given))).toMatchObject({
		title: what,
		hint: expect.stringContaining(hint),
	});
});

const readTimeout = (given: unknown) => readOptions([timeoutOption], given)(timeoutOption);

test.each([
	[undefined, 60_000],
	[{ timeout: 5000 }, 5000],
])('a request has the time-out in the node’s Settings: %j', (given, timeoutMs) => {
	expect(readTimeout(given)).toBe(timeoutMs);
});

test('an invalid time-out is refused, with its place', () => {
	expect(refusal(() => readTimeout({ timeout: 0 }))).toMatchObject({
		title: `'Timeout' is "0", not a whole number from 1 to 3600000`,
		hint: expect.stringContaining("'Request Options' in the node's Settings"),
	});
});
