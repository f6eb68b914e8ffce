import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';

/** The storage host's own code, such as AccessDenied, or the network's where no answer came. */
export function storageCode(reply: Reply): string | undefined {
	if (reply.kind === 'silence') return reply.code || undefined;
	const { body } = reply;
	return typeof body === 'string' ? /<Code>(\w{1,60})<\/Code>/.exec(body)?.[1] : undefined;
}

/** The answer as it may stand in a sentence: of its words nothing, because they hold the address. */
export function storageBrief(reply: Reply): string {
	const code = storageCode(reply);
	if (reply.kind === 'silence') return `no answer (${code ?? 'no code'})`;
	return code === undefined ? String(reply.status) : `${reply.status} ${code}`;
}
