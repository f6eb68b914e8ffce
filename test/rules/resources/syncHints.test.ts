import { hintsOn } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/hints';

const FOLDER = { uid: 'support-bot', isDry: false, onMissing: 'remove' as const };

const missing = (name: string, time: string) => ({
	...{ name, action: 'missing' as const, reason: 'Not yet' },
	dueMs: Date.parse(`2026-11-21T${time}Z`),
});

const P5 = missing('p5.txt', '07:53:01');

test('Missing files are announced with the earliest time from which on an execution removes any of them', () => {
	const files = [missing('p6.txt', '08:10:01'), P5];
	expect(hintsOn(FOLDER, files, 'Europe/Berlin')).toEqual([
		{
			type: 'info',
			message:
				'Missing from the input: "p6.txt", "p5.txt". Executions after 21 Nov 2026, 08:54 CET remove documents of the agent "support-bot" that are still missing. To keep a document, restore its file or row.',
		},
	]);
});

test('The announcement says that missing files are deleted, too, if the user chose that', () => {
	const [hint] = hintsOn({ ...FOLDER, onMissing: 'delete' }, [P5], 'Europe/Berlin');
	expect(hint?.message).toContain('CET remove and delete documents of the agent');
});

test('Files that are kept because half of the folder is missing are a warning, also in a dry run', () => {
	const kept = { name: 'a.txt', action: 'kept' as const, reason: 'Half or more are missing' };
	expect(hintsOn({ ...FOLDER, isDry: true }, [kept], 'UTC')).toEqual([
		{
			type: 'warning',
			message: expect.stringMatching(
				/^The agent "support-bot" keeps "a\.txt", because .* Check that the input is complete\./,
			),
		},
	]);
});

test('A dry run announces no time, because it records no file as missing', () => {
	expect(hintsOn({ ...FOLDER, isDry: true }, [P5], 'UTC')).toEqual([]);
});
