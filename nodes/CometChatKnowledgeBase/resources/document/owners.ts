import type { Fields } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import type { Document } from '../../service/documents';
import type { WhoHasIt } from '../../inventory/whoHasIt';
import { listed, quoted } from '../../values/quoting';
import { sourceTypeOf } from '../../values/sourceTypes';

/** Which agents have a document, as output fields. */
export function shownOwners(who: WhoHasIt, record: Document): Fields {
	const { has, unknown } = who.of(record);
	const isKnown = has.length > 0 || unknown.length === 0;
	return {
		// That it is not known is not none.
		agents: isKnown ? has.map(({ name, uid }) => name ?? uid) : null,
		...(unknown.length > 0 && { reason: whyUnknown(who, [record]) }),
		agentIds: has.map(({ uid }) => uid),
	};
}

/** Why CometChat's lists do not tell who has some documents, in sentences. */
export function whyUnknown(who: WhoHasIt, records: Array<{ type?: string }>): string {
	const types = new Set(records.map(({ type = 'uploads' }) => sourceTypeOf(type)));
	const unnamed = [...types].filter((type) => !who.isNamed(type));
	const why = unnamed.map((type): string => {
		const noun: string = type === 'text' ? 'text' : type === 'website' ? 'website' : 'file';
		return `CometChat lists no ${noun} for any agent. That proves nothing until it lists one for some agent.`;
	});
	if (why.length > 0) return sentences(...why);
	const unknown = new Set([...types].flatMap((type) => who.unknownFor(type)));
	const names = listed([...unknown].map(({ name, uid }) => quoted(name ?? uid)));
	return `CometChat does not tell which documents these agents have: ${names}.`;
}
