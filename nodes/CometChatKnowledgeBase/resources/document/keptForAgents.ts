import type { ItemContext } from '../../execution/itemContext';
import type { Inventory } from '../../ingestion/inventory';
import type { ItemFailure } from '../../results/apiError';
import { isItemFailure } from '../../results/apiError';
import { listed, quoted } from '../../values/quoting';
import { whyUnknown } from './owners';
import { UserError } from '../../values/userError';

/** Why a document is not deleted with 'If Agents Have It' set to Fail: agents have it, or CometChat does not tell. */
export async function whyKept(
	steps: ItemContext,
	inventory: Inventory,
	sourceType: string,
	uniqueId: string,
): Promise<ItemFailure | undefined> {
	const who = await inventory.whoHas(steps, [sourceType]);
	if (isItemFailure(who)) return who;
	const record = { uniqueId, type: sourceType };
	const { has, unknown } = who.of(record);
	const name = quoted(inventory.record(uniqueId)?.sourceName ?? uniqueId);
	if (has.length > 0) {
		const agents = listed(has.map((agent) => quoted(agent.name ?? agent.uid)));
		return new UserError(
			"Agents have it, and 'If Agents Have It' is set to Fail",
			"Take it from these agents first, or set 'If Agents Have It' under Options to Delete.",
			{ said: `These would lose ${name}: ${agents}.` },
		);
	}
	if (unknown.length === 0) return undefined;
	return new UserError(
		'CometChat does not tell which agents have it',
		"See in the CometChat dashboard who has it. If nobody needs it, set 'If Agents Have It' under Options to Delete.",
		{ said: whyUnknown(who, [record]) },
	);
}
