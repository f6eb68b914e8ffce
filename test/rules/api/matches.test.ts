import { matches } from '../../../nodes/CometChatKnowledgeBase/api/documents';

const price = { uniqueId: 'id-1', sourceName: 'Preise für Mai.pdf' };

test.each<[object, { sourceTypes?: string[]; nameContains?: string }, boolean]>([
	[{ type: 'uploads' }, {}, true],
	[{ type: 'uploads' }, { sourceTypes: ['text'] }, false],
	[{ type: 'text-details' }, { sourceTypes: ['text'] }, true],
	[{ type: 'a word of its own' }, { sourceTypes: ['website'] }, true],
	// Without a type, it is an upload.
	[{}, { sourceTypes: ['uploads'] }, true],
	[{}, { sourceTypes: ['website'] }, false],
	[{}, { nameContains: 'für mai' }, true],
	[{ sourceName: undefined }, { nameContains: 'id-1' }, true],
	[{}, { nameContains: 'juni' }, false],
])('A document with %j and the filter %j: %s', (more, filter, isMeant) => {
	expect(matches({ ...price, ...more }, filter)).toBe(isMeant);
});
