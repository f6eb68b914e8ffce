import { Redaction } from '../../nodes/CometChatKnowledgeBase/http/redaction';
import type { Json } from '../../nodes/CometChatKnowledgeBase/text/json';

const redaction = new Redaction({ apiKey: '' });

/** A body as the node's readers are given it, of an account whose key nobody repeats. */
export function redacted(body: unknown): Json | undefined {
	return body === undefined ? undefined : redaction.json(body);
}
