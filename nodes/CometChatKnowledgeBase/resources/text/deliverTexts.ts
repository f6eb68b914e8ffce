import { agentOf, deliverItems, newBatch } from '../../delivery/deliverItems';
import type { Batch, Delivery } from '../../delivery/delivery';
import { newDelivery } from '../../delivery/delivery';
import { nameUnused } from '../../delivery/unused';
import type { Plan, Rule } from '../../delivery/plan';
import { plan } from '../../delivery/plan';
import type { BatchResult } from '../../operations/batchOperation';
import type { ItemContext } from '../../operations/itemContext';
import type { RunContext } from '../../operations/operation';
import type { Item } from '../../operations/readItems';
import { Documents } from '../../delivery/documents';
import type { Fields } from '../../output/itemResult';
import { alreadyExists } from '../../delivery/failures';
import { RERUN_CONTINUES } from '../../delivery/failureState';
import type { Agent } from '../../api/agents';
import type { Document } from '../../api/documents';
import { toResult, isFailure } from '../../text/failure';
import { groupBy } from '../../text/groups';
import { foldForSearch, normalizeName } from '../../text/names';
import { joinLimited, quoted } from '../../text/quoting';
import { TEXT } from '../../text/sourceTypes';
import { changeText, createText, normalizeText, readTexts, TEXT_WITHOUT_AGENT } from './writing';

/** The text entry of an item. */
interface WantedText {
	title: string;
	text: string;
	/** The agent to add the text entry to; undefined for none. */
	uid: string | undefined;
	waits: boolean;
	maxIndexingMs: number;
	rule: Extract<Rule, 'add' | 'fail' | 'update'>;
}

/** Creates or updates text entries, and adds them to their agents. */
export async function deliverTexts(
	items: ReadonlyArray<Item<WantedText>>,
	context: RunContext,
): Promise<BatchResult> {
	const run = newBatch(context);
	const isListNeeded = items.some(({ task }) => task.rule !== 'add');
	const read = isListNeeded ? await toResult(readTexts(run)) : new Documents();
	const texts = isFailure(read) ? new Documents() : read;
	const alike = groupBy(texts.all(), ({ sourceName = '' }) => [letters(sourceName)]);
	return await deliverItems(run, items, {
		toDeliveries: async ({ index, task }, item) => {
			if (isFailure(read)) throw read;
			const { title: name, uid, waits, maxIndexingMs } = task;
			const agent = await agentOf(run, uid);
			const decided = await planFor(run, task, texts, agent);
			if (decided.action === 'create' && uid === undefined) item.remark(TEXT_WITHOUT_AGENT);
			const target = { index, item, sourceType: TEXT, name, agent, waits, maxIndexingMs };
			const create = async () => await writeText(item, decided, task);
			const delivery = newDelivery({ ...target, plan: decided, create });
			if (task.rule === 'fail') await nameUnused(run, delivery);
			return [delivery];
		},
		rows: ({ title, rule }) => ({
			action: ({ plan: { action } }) => ACTIONS[action],
			...(rule === 'update' && {
				reason: ({ plan: { action } }) =>
					action === 'create' ? nameAlike(title, alike.get(letters(title))) : undefined,
				more: (delivery) => oldText(delivery, texts),
				hint: RERUN_CONTINUES,
			}),
		}),
	});
}

const ACTIONS = {
	create: 'created',
	update: 'updated',
	use: 'unchanged',
	skip: 'skipped',
	refuse: 'failed',
};

/** Returns the text before an update, so that users can restore it. */
function oldText({ plan: decided }: Delivery, texts: Documents): Fields {
	if (decided.action !== 'update') return {};
	return { oldText: texts.withId(decided.found.uniqueId)?.text };
}

/** Names the text entries whose titles only differ in case, punctuation or spaces. */
function nameAlike(title: string, alike: readonly Document[] = []): string | undefined {
	const others = alike.filter(
		({ sourceName = '' }) => normalizeName(sourceName) !== normalizeName(title),
	);
	if (letters(title) === '' || others.length === 0) return undefined;
	const named = others.map(
		({ sourceName = '', uniqueId }) => `${quoted(sourceName)} (ID ${uniqueId})`,
	);
	return `CometChat also has a text entry with a similar title: ${joinLimited(named)}`;
}

/** Returns the letters and digits of a title, in lower case. */
function letters(title: string): string {
	return foldForSearch(title).replace(/[^\p{L}\p{N}]/gu, '');
}

async function planFor(
	run: Batch,
	{ title: name, text, rule, uid }: WantedText,
	texts: Documents,
	agent: Agent | undefined,
): Promise<Plan> {
	const found = texts.named(TEXT, name);
	const sameTitle = await run.snapshot.existing(found, TEXT, agent);
	const usage =
		rule === 'update' && found.length > 1 ? await run.snapshot.agents.usage() : undefined;
	const existing = sameTitle.map((one, at) => {
		const content = normalizeText(found[at]?.text);
		// Without an agent, no other text entry is removed from an agent.
		const isAttached = rule === 'update' && uid === undefined ? false : one.isAttached;
		const users = usage?.agentsUsing(one.uniqueId) ?? [];
		const isUsedByOthers = users.some((user) => user.uid !== uid);
		return { ...one, content, isAttached, isUsedByOthers };
	});
	const decided = plan({ content: normalizeText(text) }, existing, rule);
	if (decided.action === 'refuse') {
		const how = { hasAgent: uid !== undefined, hint: UPDATE };
		throw alreadyExists(`a text entry named ${quoted(name)}`, decided, how);
	}
	return decided;
}

async function writeText(item: ItemContext, decided: Plan, task: WantedText): Promise<string> {
	const { title, text } = task;
	if (decided.action !== 'update') return await createText(item, { title, text });
	const { uniqueId } = decided.found;
	await changeText(item, uniqueId, { title, text });
	return uniqueId;
}

const UPDATE =
	"To change it, use 'Create or Update'. To create another, set 'If Title Already Exists' to 'Add Another'.";
