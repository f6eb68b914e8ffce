import { Redaction } from '../../nodes/CometChatKnowledgeBase/account/redaction';
import type { ShownJson } from '../../nodes/CometChatKnowledgeBase/values/shown';

const redaction = new Redaction({ apiKey: '' });

/** A body as the node's readers are given it, of an account whose key nobody repeats. */
export function redacted(body: unknown): ShownJson | undefined {
	return body === undefined ? undefined : redaction.json(body);
}
