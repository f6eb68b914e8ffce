import {
	agentRequest,
	listRequest,
	modelsRequest,
	readModels,
	readWholeAgent,
	updateAgentRequest,
} from '../../../nodes/CometChatKnowledgeBase/service/agents';
import type { AgentMessage } from '../../../nodes/CometChatKnowledgeBase/service/chat';
import {
	chatRequest,
	deleteMessageRequest,
	questionRequest,
	readAgentMessages,
	readDeleted,
	readMessageId,
	threadRequest,
} from '../../../nodes/CometChatKnowledgeBase/service/chat';
import { readUserPage, usersRequest } from '../../../nodes/CometChatKnowledgeBase/service/users';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';
import type { Answer } from '../answer';
import type { Probe, Questions } from '../probe';
import { all } from '../probe';

/** How long is waited before each look, in seconds: a minute in all. */
const LOOKS_S = [1, 2, 3, 4, 5, 10, 15, 20];

/** Looks until the agent has answered, for a time that is bounded. */
async function lookFor(probe: Probe, uid: string, askAs: string, id: string) {
	let waitedS = 0;
	let [thread, chat]: Answer[] = [];
	for (const pauseS of LOOKS_S) {
		await probe.client.rest(pauseS);
		waitedS += pauseS;
		thread = await probe.ask(threadRequest(id, askAs));
		chat = await probe.ask(chatRequest(uid, id, askAs));
		const inThread = readAgentMessages(thread.body) ?? [];
		const inChat = readAgentMessages(chat.body) ?? [];
		const hasText = (messages: AgentMessage[]) => messages.some(({ text }) => text !== undefined);
		const place = hasText(inThread) ? 'thread' : hasText(inChat) ? 'chat' : undefined;
		if (place) return { thread, chat, place, waitedS, messages: [...inThread, ...inChat] };
	}
	return { thread, chat, place: 'nowhere', waitedS, messages: [] };
}

/** With a user of its own and the agent that was made, which is active only meanwhile. */
export const ASKING: Questions = {
	asking: {
		asks: 'A question to an agent, over REST alone',
		ourChoice:
			'sends it as a user, takes what is agentic and assistant in its thread or the chat for the answer, and a 2xx with data for deleted',
		async answer(probe) {
			const uid = probe.need('agent');
			const { answer: user, askAs } = await probe.makeUser();
			const switchedOn = await probe.ask(updateAgentRequest(uid, { isActive: true }));
			const sent = await probe.ask(questionRequest(uid, askAs, 'Which day comes after Monday?'));
			const id = readMessageId(sent.body);
			if (id === undefined) return { user, switchedOn, sent, holds: sent.isTaken && false };
			const { messages, ...found } = await lookFor(probe, uid, askAs, id);
			const deletions: Answer[] = [];
			for (const one of new Set([...messages.map((message) => message.id), id])) {
				deletions.push(await probe.ask(deleteMessageRequest(one)));
			}
			const switchedOff = await probe.ask(updateAgentRequest(uid, { isActive: false }));
			const areDeleted = deletions.map(({ body }) => readDeleted(body) === true);
			const isOn = switchedOn.isApplied;
			const holds = all(isOn, found.place !== 'nowhere', ...areDeleted);
			return { user, switchedOn, sent, ...found, deletions, switchedOff, holds };
		},
	},
	'user-list': {
		asks: 'Finding a user of the app, and which users are agents',
		ourChoice: 'finds users by how the UID begins, and leaves out those with the role @agentic',
		async answer(probe) {
			const uid = probe.need('agent');
			const askAs = probe.need('user');
			const user = await probe.ask(usersRequest(askAs));
			const agent = await probe.ask(usersRequest(uid));
			const found = [user, agent].map(({ result }) => readUserPage(result)?.users);
			const [users, agents] = found.map((entries) => entries?.map(({ value }) => value).join());
			const isAgentListed = JSON.stringify(agent.body).includes(uid);
			const holds = all(user.isTaken && users === askAs, agent.isTaken && agents === '');
			return { user, agent, isAgentListed, holds };
		},
	},
	'agent-settings': {
		asks: 'Changing an agent, finding it, and the models',
		ourChoice:
			'sends what changes, and takes it that the rest stays; finds agents by a part of the name; reads a bare list of models',
		async answer(probe) {
			const uid = probe.need('agent');
			const shown = async () => readWholeAgent((await probe.ask(agentRequest(uid))).body);
			const before = await shown();
			const description = given('Changed by a test; safe to delete');
			const changed = await probe.ask(updateAgentRequest(uid, { description }));
			const after = await shown();
			const found = await probe.ask(listRequest(probe.name('agent')));
			const models = await probe.ask(modelsRequest());
			const isKept = after?.name === before?.name && after?.isActive === before?.isActive;
			const isRight = after && before && after.description === description && isKept;
			const isFound = found.page?.entries.some(({ id }) => id === uid);
			const areModels = models.isTaken && readModels(models.body) !== undefined;
			const holds = all(changed.isApplied, isRight, isFound, areModels);
			return { changed, isRight, found, isFound, models, holds };
		},
	},
};
