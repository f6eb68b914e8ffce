import { ValidationIssue } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';

/** How much anybody is ever shown of a value. */
export const MOST_CHARACTERS = 1000;

/** It is refused in few words, without tags, that name the field. */
export function expectRefused(found: unknown, label: string): void {
	expect(found).toBeInstanceOf(ValidationIssue);
	if (!(found instanceof ValidationIssue)) return;
	expect(found.what).toContain(label);
	expect(found.what.length).toBeLessThan(MOST_CHARACTERS);
	expect(found.remedy).toMatch(/\.$/);
	expect(found.what + found.remedy).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Cs}]/u);
}
