import type { ItemContext } from '../../execution/itemContext';
import type { Inventory } from '../../ingestion/inventory';
import { listed, quoted } from '../../values/quoting';
import { whyUnknown } from './owners';
import { UserError } from '../../values/userError';

/** 'If Agents Have It' set to Fail: no document is deleted that agents have, or of which CometChat does not tell. */
export async function refuseIfHeld(
	steps: ItemContext,
	inventory: Inventory,
	sourceType: string,
	uniqueId: string,
): Promise<void> {
	const who = await inventory.whoHas(steps, [sourceType]);
	const record = { uniqueId, type: sourceType };
	const { has, unknown } = who.of(record);
	const name = quoted(inventory.record(uniqueId)?.sourceName ?? uniqueId);
	if (has.length > 0) {
		const agents = listed(has.map((agent) => quoted(agent.name ?? agent.uid)));
		throw new UserError(
			"Agents have it, and 'If Agents Have It' is set to Fail",
			"Take it from these agents first, or set 'If Agents Have It' under Options to Delete.",
			{ detail: `These would lose ${name}: ${agents}.` },
		);
	}
	if (unknown.length === 0) return;
	throw new UserError(
		'CometChat does not tell which agents have it',
		"See in the CometChat dashboard who has it. If nobody needs it, set 'If Agents Have It' under Options to Delete.",
		{ detail: whyUnknown(who, [record]) },
	);
}
