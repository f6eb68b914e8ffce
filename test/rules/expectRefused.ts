import { toResultSync, UserError } from '../../nodes/CometChatKnowledgeBase/text/failure';

/** How much anybody is ever shown of a value. */
export const MOST_CHARACTERS = 1000;

/** What a reader refuses a value with; undefined if it takes it. */
export function refusal(read: () => unknown): UserError | undefined {
	const found = toResultSync(read);
	return found instanceof UserError ? found : undefined;
}

/** The value, or what a reader refuses it with. */
export async function takenOrRefused<Value>(reading: Promise<Value>): Promise<Value | UserError> {
	return await reading.catch((thrown: unknown) => {
		if (thrown instanceof UserError) return thrown;
		throw thrown;
	});
}

/** It is refused in few words, without tags, that name the field. */
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
