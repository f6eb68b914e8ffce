import { Redaction } from '../../nodes/CometChatKnowledgeBase/http/redaction';
import type { Json } from '../../nodes/CometChatKnowledgeBase/text/json';

const redaction = new Redaction({ apiKey: '' });

/** Returns a body as the node's readers receive it, for a key that is not in the body. */
export function redacted(body: unknown): Json | undefined {
	return body === undefined ? undefined : redaction.json(body);
}
