import { textField } from '../../../nodes/CometChatKnowledgeBase/fields/field';
import { refusal } from '../expectRefused';

const title = textField({ displayName: 'Title', name: 'title', type: 'string', default: '' });
const read = (value: string) => title.read(value, JSON.parse('{}'));

test.each(['undefined', 'null', '[object Object]'])('a text %s is refused', (value) => {
	expect(refusal(() => read(value))).toMatchObject({
		title: `'Title' is "${value}": the expression found nothing`,
	});
});

test.each(['None of our rooms', 'undefined behaviour', 'Null'])(
	'a text %s is accepted',
	(value) => {
		expect(read(value)).toBe(value);
	},
);
