import { toResultSync, UserError } from '../../nodes/CometChatKnowledgeBase/text/failure';

/** The longest shown text about a value, in characters. */
export const MOST_CHARACTERS = 1000;

export function refusal(read: () => unknown): UserError | undefined {
	const found = toResultSync(read);
	return found instanceof UserError ? found : undefined;
}

/** Expects a short error without tags that names the field. */
export function expectRefused(read: () => unknown, label: string): void {
	const found = refusal(read);
	expect(found).toBeInstanceOf(UserError);
	if (found) expectInWords(found, label);
}

export function expectInWords(found: UserError, label: string): void {
	expect(found.title).toContain(label);
	expect(found.title.length).toBeLessThan(MOST_CHARACTERS);
	expect(found.hint).toMatch(/\.$/);
	expect(found.title + found.hint).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Cs}]/u);
}
