import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { maybe, oneIn } from './drafting';
import type { FileDraft, Item, ItemDraft, Operation, Options, Scenario, Wanted } from './operation';
import { KNOWN_AGENTS } from './records';
import type { BadId, Circumstances, Misbehaviour, Variant } from './serviceBehaviour';
import {
	claimsSuccess,
	misbehavioursOf,
	rateLimit,
	someName,
	stop,
	variant as anyVariant,
	withOneClock,
} from './serviceBehaviour';

/** The options that every operation has; what is undefined is not set. */
export const pacing = {
	parallelRequests: maybe(fc.integer({ min: 1, max: 5 })),
	maxAttempts: maybe(fc.integer({ min: 1, max: 4 })),
	maxWaitSeconds: maybe(fc.constantFrom(0, 1, 5, 30, 120, 600)),
	timeoutSeconds: maybe(fc.constantFrom(1, 3, 60)),
	maxRequestsPerMinute: fc.option(fc.constantFrom(1, 7, 60, 500, 20_000), {
		nil: undefined,
		freq: 2,
	}),
};

export const maxIndexingMinutes = maybe(fc.constantFrom(1, 2, 5));

export const ifNoFileIds = maybe(fc.constantFrom('fail' as const, 'skip' as const));

export const agent = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom(...KNOWN_AGENTS) },
	{ weight: 1, arbitrary: fc.constant('nobody') },
);

/** What is to be done with content that has arrived: to wait, to attach it to an agent. */
export const afterwards = fc
	.record({ waits: fc.boolean(), uid: maybe(agent) })
	.map(({ waits, uid }) => ({
		json: { waits, adds: uid !== undefined, agent: uid ?? 'unused' },
		wanted: uid === undefined ? { waits } : { waits, uid },
	}));

export const AFTERWARDS = {
	waitUntilIndexed: '={{ $json.waits }}',
	addToAgent: '={{ $json.adds }}',
	uid: { __rl: true, mode: 'id', value: '={{ $json.agent }}' },
};

export const content = fc.record({
	size: fc.oneof(
		{ weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }) },
		{ weight: 2, arbitrary: fc.integer({ min: 1000, max: 9000 }) },
		// Several pieces on their way through a stream.
		{ weight: 1, arbitrary: fc.constant(150_001) },
	),
	kept: fc.constantFrom<FileDraft['kept']>('in memory', 'on disk'),
});

/** An item like this, or rarely, where that is allowed, one of those with a flaw. */
export function itemOf<Given, W>(
	flaws: Array<Item<W>>,
	given: fc.Arbitrary<Given>,
	build: (given: Given, index: number) => Item<W>,
): fc.Arbitrary<ItemDraft<W>> {
	return fc
		.record({ given, flaw: oneIn(2, fc.nat(flaws.length - 1)) })
		.map(({ given: drawn, flaw }) => (index: number, mayBeFlawed: boolean) => {
			const flawed = mayBeFlawed && flaw !== undefined ? flaws[flaw] : undefined;
			return flawed ?? build(drawn, index);
		});
}

/** An item that can't be sent. @param files Of nine bytes where no number says otherwise. */
export function unusable(json: IDataObject, files?: Record<string, number>): Item<never> {
	if (files === undefined) return { json, wanted: 'unusable' };
	const drafts = Object.entries(files).map(([fileName, size], at) => {
		return [`file_${at}`, { fileName, size, kept: 'in memory' as const }] as const;
	});
	return { json, files: Object.fromEntries(drafts), wanted: 'unusable' };
}

export function empty(json: IDataObject): Item<never> {
	return { json, wanted: 'empty' };
}

/** What those items ask for that can be sent. */
export function wantedOf<W extends Wanted>({ items }: { items: Array<Item<W>> }): W[] {
	return items.flatMap(({ wanted }) => (typeof wanted === 'object' ? [wanted] : []));
}

/** All that may befall an operation. */
export function scenariosOf<W extends Wanted, O extends Options>({
	draft,
	mostItems,
	options,
	heldBefore = fc.constant({ of: () => [] }),
	badIds = fc.constant<BadId[]>([]),
	requests,
	addressee,
	variant = anyVariant,
}: Operation<W, O>): fc.Arbitrary<Scenario<W, O>> {
	const items = fc
		.record({
			drafts: fc.array(draft, { minLength: 1, maxLength: mostItems }),
			/** Whether any item may be flawed; one alone keeps a run that stops from sending. */
			areFlawed: fc.nat(3).map((drawn) => drawn === 3),
		})
		.map(({ drafts, areFlawed }) => drafts.map((one, index) => one(index, areFlawed)));
	const usual = {
		items,
		options,
		hold: heldBefore,
		badIds,
		variant,
		unreadable: fc.uniqueArray(someName, { maxLength: 1 }),
		onError: fc.constantFrom<Circumstances['onError']>(
			'continueRegularOutput',
			'stopWorkflow',
			'continueErrorOutput',
		),
		serviceAheadMs: fc.constantFrom(0, 0, 90_000, -3_600_000),
		chance: fc.nat(99),
	};
	/** A service that misbehaves in every way. */
	const troubled = fc
		.record({
			...usual,
			misbehaviours: misbehavioursOf(requests, addressee),
			rateLimit: oneIn(4, rateLimit),
			stop: oneIn(5, stop),
		})
		.map((scenario) => credible(withOneClock(scenario)));
	/** A service that does nothing worse than to be unable to read a file, or to refuse an ID. */
	const honest = fc.record({ ...usual, misbehaviours: fc.constant<Misbehaviour[]>([]) });
	return fc
		.oneof({ weight: 5, arbitrary: troubled }, { weight: 1, arbitrary: honest })
		.map(({ hold, ...scenario }) => ({
			...scenario,
			heldBefore: hold.of(scenario.items).filter(({ uid }) => isKnowable(uid, scenario)),
		}));
}

/** That the list hides an agent that no item is for, nobody can know: it has nothing. */
function isKnowable<W extends Wanted>(
	uid: string,
	{ items, variant: { hiddenAgents = [] } }: { items: Array<Item<W>>; variant: Variant },
): boolean {
	return !hiddenAgents.includes(uid) || wantedOf({ items }).some((wanted) => wanted.uid === uid);
}

/** Without what would be a lie of the service, by what stands in the rest of the scenario. */
function credible<W extends Wanted, S extends Circumstances & { items: Array<Item<W>> }>(
	scenario: S,
): S {
	const { variant: usual, misbehaviours: all } = scenario;
	const isAstray = all.some(({ kind }) => kind === 'astray');
	const isStored = (given: Misbehaviour) =>
		given.for.operation === 'upload' &&
		(given.kind === 'body' || (given.kind === 'status' && given.status < 300));
	// With more unread than one piece holds, the host would not notice that the client is gone.
	const isSlow = all.some(
		({ bytesPerSecond, afterBytes }) =>
			bytesPerSecond !== undefined || (afterBytes !== undefined && scenario.stop !== undefined),
	);
	return {
		...scenario,
		items: isSlow ? scenario.items.map(inOnePiece) : scenario.items,
		misbehaviours: all.filter(
			(given) =>
				!(usual.expiresMs !== undefined && isStored(given)) &&
				!(
					usual.unindexedFiles === 'refuse' &&
					given.for.operation === 'add' &&
					claimsSuccess(given)
				),
		),
		// Only an entry that is there tells its ID.
		variant: isAstray ? { ...usual, recorded: 'fromInitiate' } : usual,
	};
}

function inOnePiece<W extends Wanted>(item: Item<W>): Item<W> {
	const { files = {}, wanted } = item;
	const smaller = (file: FileDraft) => ({ ...file, size: Math.min(file.size, 9000) });
	const entries = Object.entries(files).map(([field, file]) => [field, smaller(file)] as const);
	const less = item.files === undefined ? item : { ...item, files: Object.fromEntries(entries) };
	if (typeof wanted !== 'object' || wanted.files === undefined) return less;
	return { ...less, wanted: { ...wanted, files: wanted.files.map(smaller) } };
}
