import type { ChangeOperation } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import { serviceWords } from '../../nodes/CometChatKnowledgeBase/results/explain';
import { sourceTypeField } from '../../nodes/CometChatKnowledgeBase/input/fields';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { effectOf } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { inBrief } from './asking';
import type { Verdict } from './finding';
import { couldNotTell, doesNotHold, holds, together } from './finding';
import type { Question } from './question';
import type { Session } from './session';
import { changeFiles } from './session';

const NO_SUCH_TYPE = 'no-such-type';

/** The types that the node offers. */
const OFFERED = (sourceTypeField.options ?? []).flatMap((option) =>
	'value' in option && typeof option.value === 'string' ? [option.value] : [],
);

export const sourceTypes: Question = {
	question: 1,
	title: 'Source types',
	choice: `offers ${OFFERED.join(', ')}, and sends any other that is typed in`,
	async ask(session) {
		if (session.agent === undefined) return couldNotTell('there is no agent to try it with');
		if (!session.agent.isThrowaway) {
			return couldNotTell('it is asked with made-up IDs, which only a throwaway agent is given');
		}
		const added = await askEach(session, 'add');
		session.unknownIdReply = added.get('uploads');
		const removed = await askEach(session, 'remove');
		return together(verdictOn('add', session, added), verdictOn('remove', session, removed));
	},
};

async function askEach(session: Session, operation: ChangeOperation): Promise<Map<string, Reply>> {
	const replies = new Map<string, Reply>();
	for (const sourceType of [...OFFERED, NO_SUCH_TYPE]) {
		const change = { operation, sourceType, uniqueIds: [session.unknownId] };
		const asked = `${operation} an unknown ID as ${sourceType}`;
		replies.set(sourceType, await changeFiles(session, asked, change));
	}
	return replies;
}

/**
 * The ID is unknown, so a refusal may be meant for the ID or for the type. A made-up type tells
 * them apart: what is answered like that one is no type, what is answered like 'uploads' is one.
 */
function verdictOn(
	operation: ChangeOperation,
	{ unknownId }: Session,
	replies: Map<string, Reply>,
): Verdict {
	const likeness = (sourceType: string) => {
		const reply = replies.get(sourceType);
		return reply === undefined ? '' : likenessOf(reply, [sourceType, unknownId]);
	};
	const briefly = (sourceType: string) => {
		const reply = replies.get(sourceType);
		return reply === undefined ? 'not asked' : inBrief(reply);
	};
	const noType = likeness(NO_SUCH_TYPE);
	if (OFFERED.every((sourceType) => likeness(sourceType) === noType)) {
		return couldNotTell(
			`${operation} answers a made-up type like every other (${briefly(NO_SUCH_TYPE)})`,
		);
	}
	// Shown only where it is true of all of them; of several verdicts the worst is shown.
	const taken = `${operation} takes all of them, and answers a made-up type with ${briefly(NO_SUCH_TYPE)}`;
	const verdicts = OFFERED.map((sourceType) => {
		const reply = replies.get(sourceType);
		if (reply !== undefined && effectOf(reply) === 'applied') {
			return holds(taken);
		}
		if (likeness(sourceType) === noType) {
			return doesNotHold(
				`${operation} refuses ${sourceType} like a made-up type (${briefly(sourceType)})`,
			);
		}
		return likeness(sourceType) === likeness('uploads')
			? holds(taken)
			: couldNotTell(`${operation} answers ${sourceType} in its own way (${briefly(sourceType)})`);
	});
	return together(...verdicts);
}

/** Two replies that differ in nothing but what was asked have the same likeness. */
function likenessOf(reply: Reply, asked: string[]): string {
	if (reply.kind === 'silence') return reply.code;
	const { code = '', text } = serviceWords(reply.body);
	const neutral = asked.reduce((rest, value) => rest.split(value).join('…'), text);
	return `${reply.status} ${code} ${neutral}`;
}
