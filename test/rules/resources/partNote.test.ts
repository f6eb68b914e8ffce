import type { IDataObject } from 'n8n-workflow';

import { PartNote } from '../../../nodes/CometChatKnowledgeBase/resources/text/partNote';

const HERE = 'https://app1.api-us.cometchat.io/v3';

test('of another account it knows nothing, and leaves alone what is noted there', () => {
	const data: IDataObject = {};
	new PartNote(data, HERE).add('a');
	const there = new PartNote(data, 'https://app2.api-eu.cometchat.io/v3');
	expect(there.has('a')).toBe(false);
	there.add('b');
	there.forget('a');
	expect(['a', 'b'].map((id) => new PartNote(data, HERE).has(id))).toEqual([true, false]);
	expect(there.has('b')).toBe(true);
});

test.each<IDataObject['parts'][]>([[{ [HERE]: 'a' }], [{ [HERE]: ['b', 5, null, ['a']] }]])(
	'what n8n has kept may be anything: of %j it takes texts of its list alone',
	(parts) => {
		const data: IDataObject = { parts };
		const note = new PartNote(data, HERE);
		expect(note.has('a')).toBe(false);
		note.add('a');
		expect(new PartNote(data, HERE).has('a')).toBe(true);
		expect(note.has('b')).toBe(JSON.stringify(parts)?.includes('"b"') ?? false);
	},
);

test('of more than 1,000, those go that CometChat does not list; of fewer none, since a list may be late', () => {
	const ids = Array.from({ length: 1001 }, (_, at) => `id-${at}`);
	const data: IDataObject = { parts: { [HERE]: ids.slice(1) } };
	const noted = () => Object(data.parts)[HERE];
	const note = new PartNote(data, HERE);
	note.prune(() => false);
	expect(noted()).toHaveLength(1000);
	note.add('id-0');
	note.prune((id) => id !== 'id-5');
	expect(noted()).toHaveLength(1000);
	expect(note.has('id-5')).toBe(false);
});
