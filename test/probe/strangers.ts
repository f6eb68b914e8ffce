import { REGIONS, readAccount } from '../../nodes/CometChatKnowledgeBase/account/account';
import { listRequest } from '../../nodes/CometChatKnowledgeBase/service/agents';
import { Complaint } from '../../nodes/CometChatKnowledgeBase/values/complaint';
import { explain } from '../../nodes/CometChatKnowledgeBase/results/explain';
import { isWorthRepeating } from '../../nodes/CometChatKnowledgeBase/requests/retry';
import type { Asker } from './asking';
import { inBrief, isSuccessStatus } from './asking';
import type { Verdict } from './finding';
import { couldNotTell, doesNotHold, holds, together } from './finding';
import type { Question } from './question';

export const strangers: Question = {
	question: 8,
	title: 'Wrong app ID or region',
	choice: 'reads a missing host and a refusal alike as a wrong credential, and repeats neither',
	async ask({ asker }) {
		const own = String(asker.given.fields.region);
		const regions = REGIONS.filter((region) => region !== 'custom');
		if (!regions.includes(own)) {
			return couldNotTell('a custom host has no app ID or region in it');
		}
		const other = regions.find((region) => region !== own) ?? own;
		return together(
			await verdictOn(asker, 'the same region', own),
			await verdictOn(asker, 'another region', other),
		);
	},
};

/** App ID and key are made up: the person's key is for the person's host alone. */
async function verdictOn(asker: Asker, where: string, region: string): Promise<Verdict> {
	const [id, key] = [asker.around.newId(), asker.around.newId() + asker.around.newId()];
	const madeUp = {
		region,
		appId: `probe${id.replace(/-/g, '').slice(0, 12)}`,
		apiKey: key.replace(/-/g, '').slice(0, 40),
	};
	const account = readAccount(madeUp);
	if (account instanceof Complaint) throw new Error(account.what);
	const asked = `agents of a made-up app in ${where}, with a made-up key`;
	const reply = await asker.ask(asked, listRequest(undefined, undefined, 1), {
		signature: { madeUp },
	});

	const brief = `${where}: ${inBrief(reply)}`;
	if (isSuccessStatus(reply)) return doesNotHold(`${brief} for a made-up app`);
	if (reply.kind === 'silence' && reply.code === 'EAI_AGAIN') return couldNotTell(brief);
	if (isWorthRepeating(reply)) return doesNotHold(`${brief} is repeated by the node, in vain`);
	const { what, cause } = explain(reply, account);
	return cause === 'credential-invalid' || cause === 'configuration-invalid'
		? holds(`${brief} reads as "${what}"`)
		: doesNotHold(`${brief} reads as "${what}"`);
}
