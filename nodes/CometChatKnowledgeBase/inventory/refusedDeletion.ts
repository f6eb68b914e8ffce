import { ApiError } from '../apiErrors/apiError';
import type { ItemContext } from '../execution/itemContext';
import type { Document } from '../service/documents';
import type { Failure } from '../values/failure';
import { caught, isFailure } from '../values/failure';
import { listed, quoted, sentences } from '../values/quoting';
import type { Inventory } from './inventory';
import { possibleTypes } from './whoHasIt';

/**
 * A deletion that CometChat refused, with the agents that use the document: CometChat may refuse to delete a document
 * in use. Unchanged if no agent is known to use it.
 */
export async function withAgentsOf(
	document: Document,
	refusal: Failure,
	{ item, inventory }: { item: ItemContext; inventory: Inventory },
): Promise<Failure> {
	const mayBeInUse = refusal instanceof ApiError && refusal.more.concernsOneDocument === true;
	if (!mayBeInUse) return refusal;
	const who = await caught(inventory.whoHas(item, possibleTypes(document.type)));
	const has = isFailure(who) ? [] : who.of(document).has;
	if (has.length === 0) return refusal;
	const agents = listed(has.map(({ name, uid }) => quoted(name ?? uid)));
	const detail = sentences(refusal.more.detail, `Agents that use the document: ${agents}.`);
	return new ApiError(refusal.title, `${REMOVE_FIRST} ${refusal.hint}`, {
		...refusal.more,
		detail,
	});
}

const REMOVE_FIRST =
	"Remove it from these agents with Agent's Knowledge Base: Remove Files, then delete it.";
