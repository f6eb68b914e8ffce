import type { IDataObject } from 'n8n-workflow';

import { PartNote } from '../../../nodes/CometChatKnowledgeBase/resources/text/partNote';

test('it knows what was added and not forgotten, each once', () => {
	const data: IDataObject = {};
	const note = new PartNote(data);
	for (const id of ['a', 'b', 'a', 'c']) note.add(id);
	note.forget('b');
	note.forget('none');
	expect(data).toEqual({ parts: ['a', 'c'] });
	expect(['a', 'b', 'c'].map((id) => new PartNote(data).has(id))).toEqual([true, false, true]);
});

test.each([[undefined], [null], ['a'], [{ a: 'a' }], [['b', 5, null, ['a']]]])(
	'what n8n has kept may be anything: of %j it takes texts of a list alone',
	(parts) => {
		const data: IDataObject = { parts };
		const note = new PartNote(data);
		expect(note.has('a')).toBe(false);
		note.add('a');
		expect(data.parts).toEqual(Array.isArray(parts) ? ['b', 'a'] : ['a']);
	},
);

test('of more than 1,000, those go that CometChat does not list; of fewer none, since a list may be late', () => {
	const ids = Array.from({ length: 1001 }, (_, at) => `id-${at}`);
	const data: IDataObject = { parts: ids.slice(1) };
	const note = new PartNote(data);
	note.prune(() => false);
	expect(data.parts).toHaveLength(1000);
	note.add('id-0');
	note.prune((id) => id !== 'id-5');
	expect(data.parts).toHaveLength(1000);
	expect(note.has('id-5')).toBe(false);
});
