/**
 * Each message that the product writes in one piece stands in docs/messages.md. Of a message with values
 * in it, the longest part between them has to; one that is put together elsewhere is not seen here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const NODE = path.join(ROOT, 'nodes/CometChatKnowledgeBase');

/** A text of the source in any of its quotes, where a message begins. */
const MESSAGES =
	/(?:\bwhat(?::| =)|new (?:ValidationIssue|StepFailure)\()\s*(?:[^'"`;(),]*[?:]\s*)?(?:worded)?(['"`])((?:\\.|(?!\1)[^\\])+)\1/g;

const page = readFileSync(path.join(ROOT, 'docs/messages.md'), 'utf8');
const found = readdirSync(NODE, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.flatMap((file) => {
		const source = readFileSync(path.join(NODE, file), 'utf8');
		return [...source.matchAll(MESSAGES)].map(([, , text = '']) => ({ file, text }));
	})
	// A message is a clause; a sentence of that name is a part of a description.
	.filter(({ text }) => !text.endsWith('.'));
const missing = found.filter(({ text }) => !page.includes(longestPart(text)));

for (const { file, text } of missing) console.log(`✗ docs/messages.md lacks "${text}" (${file})`);
if (found.length < 50) console.log(`✗ only ${found.length} messages were found in the source`);
const isWhole = missing.length === 0 && found.length >= 50;
if (isWhole) console.log(`✓ ${found.length} messages stand in docs/messages.md`);
process.exitCode = isWhole ? 0 : 1;

/** Of a text with `${…}` in it, the longest part without. */
function longestPart(text: string): string {
	const parts = text
		.split(/\$\{[^}]*\}/)
		.map((part) => part.replace(/^[\s,:"'(]+|[\s,:"'(]+$/g, ''));
	return parts.sort((one, other) => other.length - one.length)[0] ?? '';
}
