import { severalNamed } from '../../../nodes/CometChatKnowledgeBase/ingestion/sameName';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';

const records = (count: number) =>
	Array.from({ length: count }, (_, at) => ({
		uniqueId: given(`id-${at}`),
		sourceName: given('a.txt'),
		status: given('indexed'),
	}));

const UPLOADS = {
	name: given('a.txt'),
	sourceType: 'uploads' as const,
	uid: given('support-bot'),
	timeZone: 'UTC',
};

test.each<[number, string]>([
	[2, 'ID id-0; indexed, ID id-1.'],
	[5, 'indexed, ID id-3; indexed, ID id-4.'],
	[6, 'indexed, ID id-4; and 1 more.'],
	[8, 'indexed, ID id-4; and 3 more.'],
])('Of %d uploads of a name, the first are named', (count, end) => {
	const candidates = { ...UPLOADS, found: records(count), isTold: true };
	const { what, remedy, more } = severalNamed(candidates, 'Do it.');
	expect(what).toBe(`The agent has ${count} files named "a.txt"`);
	expect(remedy).toMatch(/^Do it\. They are: /);
	expect(remedy.endsWith(end)).toBe(true);
	expect(more).toEqual({ cause: 'configuration-invalid' });
});

test('Where the lists do not tell, it is said that nobody knows which of them the agent has', () => {
	const candidates = { ...UPLOADS, found: records(2), isTold: false };
	const { what, more } = severalNamed(candidates, 'Do it.');
	expect(what).toBe('CometChat has 2 files named "a.txt"');
	expect(more).toEqual({
		cause: 'configuration-invalid',
		said: "CometChat's list of agents does not tell which of them the agent has.",
	});
});
