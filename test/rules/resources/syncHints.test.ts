import { hintsOn } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/hints';

const FOLDER = { uid: 'support-bot', goneFiles: 'remove' as const, isDry: false };

const missing = (name: string, time: string) => ({
	...{ name, ids: [name], dueMs: Date.parse(`2026-11-21T${time}Z`), reason: { text: 'Not yet' } },
});

const P5 = missing('p5.txt', '07:53:00');

test('A missing file is announced with the time from which on an execution removes the file', () => {
	expect(hintsOn(FOLDER, [P5], 'Europe/Berlin')).toEqual([
		{
			type: 'info',
			message:
				'"p5.txt" is no longer in the folder. An execution after 21 Nov 2026, 08:53 CET removes the file from "support-bot". To keep the file, put the file back in the folder.',
		},
	]);
});

test('Several files share the time at which all of them are due, which is rounded up', () => {
	const files = [P5, missing('p6.txt', '08:10:01'), missing('p7.txt', '08:00:00')];
	const [hint] = hintsOn({ ...FOLDER, goneFiles: 'delete' }, files, 'UTC');
	expect(hint?.message).toBe(
		'"p5.txt", "p6.txt", "p7.txt" are no longer in the folder. An execution after 21 Nov 2026, 08:11 UTC removes the files from "support-bot" and may delete the files permanently. To keep the files, put the files back in the folder.',
	);
});

test('A dry run announces no time, because it notes no file as missing', () => {
	expect(hintsOn({ ...FOLDER, isDry: true }, [P5], 'UTC')).toEqual([]);
});
