import type { Agent } from '../service/agents';
import { attachedIds } from '../service/agents';
import type { Document } from '../service/documents';
import { ALL_SOURCE_TYPES, sourceTypeOf } from '../values/sourceTypes';

/**
 * The one rule of who has a document. CometChat documents only that an agent's `files` and `websites` are lists of
 * texts: that these are IDs is likely, and that they are complete is not known for each kind of document. So a
 * list that does not name a document proves nothing by itself:
 *
 * | The agent's list for that kind     | The agent      |
 * | ---------------------------------- | -------------- |
 * | names the document                 | has it         |
 * | is missing                         | unknown        |
 * | holds entries, none of them an ID  | unknown        |
 * | any other, where any agent's list names a document of that kind | has it not |
 * | any other                          | unknown        |
 *
 * Where it is unknown, nothing is taken away, nothing is left out in silence, and the item says so.
 */
export type Answer = 'has' | 'has not' | 'unknown';

/** What the document of an ID is; undefined for what is no document, as far as was looked. */
type TypeOf = (id: string) => string | undefined;

type Identified = Pick<Document, 'uniqueId' | 'type'>;

export class WhoHasIt {
	private readonly byId = new Map<string, Agent[]>();

	private readonly unknown = new Map<string, Agent[]>();

	constructor(
		readonly agents: Agent[],
		private readonly typeOf: TypeOf,
	) {
		for (const agent of agents) {
			for (const id of new Set(attachedIds(agent))) {
				this.byId.set(id, [...(this.byId.get(id) ?? []), agent]);
			}
		}
	}

	/** The agents that have a document, and those of which it is unknown. No other has it. */
	of({ uniqueId, type }: Identified): { has: Agent[]; unknown: Agent[] } {
		const has = this.byId.get(uniqueId) ?? [];
		const unknown = new Set(possibleTypes(type).flatMap((one) => this.unknownFor(one)));
		return { has, unknown: [...unknown].filter((agent) => !has.includes(agent)) };
	}

	/** @param agent One of `agents`. */
	answer(agent: Agent, document: Identified): Answer {
		const { has, unknown } = this.of(document);
		if (has.includes(agent)) return 'has';
		return unknown.includes(agent) ? 'unknown' : 'has not';
	}

	/** The agents of which it is unknown whether they have a document of a type that they do not name. */
	unknownFor(sourceType: string): Agent[] {
		const known = this.unknown.get(sourceType);
		if (known) return known;
		const isProven = this.isNamed(sourceType);
		const found = this.agents.filter(
			(agent) => !isProven || !holdsIds(agent, sourceType, this.typeOf),
		);
		this.unknown.set(sourceType, found);
		return found;
	}

	/** Whether any agent's list names a document of a type. */
	isNamed(sourceType: string): boolean {
		for (const id of this.byId.keys()) if (this.typeOf(id) === sourceType) return true;
		return false;
	}

	/** Whether knowing more documents could change nothing of what is known of these types and these agents. */
	isSettled(sourceTypes: readonly string[], agents = this.agents): boolean {
		const isRead = (id: string) => this.typeOf(id) !== undefined;
		if ([...this.byId.keys()].every(isRead)) return true;
		return sourceTypes.every(
			(type) =>
				this.isNamed(type) &&
				agents.every(
					(agent) => listFor(agent, type) === undefined || holdsIds(agent, type, this.typeOf),
				),
		);
	}
}

/** What a record may be: of any type where the list does not say it. */
export function possibleTypes(type: string | undefined): readonly string[] {
	return type === undefined ? ALL_SOURCE_TYPES : [sourceTypeOf(type)];
}

function listFor({ files, websites }: Agent, sourceType: string) {
	return sourceType === 'website' ? websites : files;
}

function holdsIds(agent: Agent, sourceType: string, typeOf: TypeOf): boolean {
	const list = listFor(agent, sourceType);
	if (list === undefined) return false;
	return list.length === 0 || list.some((id) => typeOf(id) !== undefined);
}
