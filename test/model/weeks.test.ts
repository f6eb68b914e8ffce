import fc from 'fast-check';

import type { Operation } from '../../nodes/CometChatKnowledgeBase/operations/operation';
import { resources } from '../../nodes/CometChatKnowledgeBase/resources/registry';
import { Environment } from './environment';
import { KNOWN_AGENTS } from './serviceBehaviour';
import { firstBroken } from './suite';
import { text, timelineOf } from './timeline';
import { INVARIANTS } from './weeks/invariants';
import { KNOWN_BREAKS } from './weeks/knownBreaks';
import type { Passed } from './weeks/play';
import { playWeeks } from './weeks/play';
import type { Story } from './weeks/story';
import { storiesOf } from './weeks/story';
import { WORKFLOWS, workflowsByFields } from './weeks/workflows';
import { RECORDS } from './weeks/world';

/** Set by `npm run test:model`, see main.mts. */
declare const MODEL: {
	times?: { weeks: number };
	runs?: number;
	seed?: number;
	of?: string;
	list?: boolean;
	title?: string;
};

const {
	times = { weeks: 1 },
	seed = 1,
	of,
	runs,
	list,
	title: only,
} = typeof MODEL === 'undefined' ? {} : MODEL;

/** The number of stories of each operation in `npm test`; operations with files have more. */
const FEW = 1;
const MORE = 3;
const BRINGING = /upload|replace|create$|upsert|update|crawl|add|remove|delete/;

const MOST_SIMPLIFYING_MS = 60_000;

/** A limit against endless tests. */
const LONGEST_MS = 60 * 60 * 1000;

const WITH_NIGHTS = 'knowledgeBase.sync';

const all = new Map<string, Operation>(
	resources.flatMap(({ value: resource, operations: each }) =>
		each.map((operation) => [`${resource}.${operation.value}`, operation] as const),
	),
);
const operations = [...all.keys()].filter((name) => name !== WITH_NIGHTS);

interface Broken {
	title: string;
	what: string;
	timeline: string;
}

let environment: Environment;

beforeAll(async () => {
	environment = await Environment.open(RECORDS, KNOWN_AGENTS);
});

afterAll(async () => await environment.close());

test('what has workflows of its own is an operation of the registry', () => {
	expect(Object.keys(WORKFLOWS).filter((name) => !operations.includes(name))).toEqual([]);
});

const played = operations.filter((name) => of === undefined || of === name);
if (played.length === 0) {
	throw new Error(`--of ${of} is none of: ${['sync', ...operations].join(', ')}`);
}

test.each(played)(
	'%s keeps what every operation promises, week after week',
	async (name) => {
		const few = BRINGING.test(name) ? MORE : FEW;
		const count = runs ?? few * times.weeks;
		if (list) return await listBreaks(name, count);
		for (let at = 0; at < count; at++) {
			const found = await broken(name, seed + at, unknown(name));
			if (found !== undefined) throw new Error(await failureOf(name, seed + at));
		}
	},
	LONGEST_MS,
);

const known = KNOWN_BREAKS.filter(({ operation }) => of === undefined || of === operation);

if (known.length > 0) {
	test.each(known)(
		'known, and no longer if it does not break: $operation, seed $seed: $what',
		async (one) => {
			const invariant = INVARIANTS.filter(({ title }) => title.startsWith(one.promise));
			expect(invariant).toHaveLength(1);
			expect(await broken(one.operation, one.seed, invariant)).toBeDefined();
		},
	);
}

/** Prints the broken promises of an operation, each with its first seeds. */
async function listBreaks(name: string, count: number): Promise<void> {
	const seeds = new Map<string, number[]>();
	for (let at = 0; at < count; at++) {
		const titles = new Set<string>();
		await playWeeks(environment, storyOf(name, seed + at), (passed) => {
			for (const { title, contradiction, holdsFor } of INVARIANTS) {
				if (holdsFor?.(passed) !== false && contradiction(passed)) titles.add(title);
			}
			return undefined;
		});
		for (const title of titles) seeds.set(title, [...(seeds.get(title) ?? []), seed + at]);
	}
	const lines = [...seeds].map(
		([title, all]) => `  ${title}: ${all.length} of ${count}, ${all.slice(0, 8).join(' ')}`,
	);
	expect([name, ...lines].join('\n')).toBe(name);
}

/** Returns the invariants without known breaks for this operation. */
function unknown(name: string): typeof INVARIANTS {
	if (only !== undefined) return INVARIANTS.filter(({ title }) => title.includes(only));
	const known = KNOWN_BREAKS.filter(({ operation }) => operation === name);
	return INVARIANTS.filter(({ title }) => !known.some(({ promise }) => title.startsWith(promise)));
}

function storiesFor(name: string): fc.Arbitrary<Story> {
	const operation = all.get(name);
	if (operation === undefined) throw new Error(`There is no ${name}`);
	const workflow = WORKFLOWS[name] ?? workflowsByFields(operation);
	return storiesOf(workflow(name), name.split('.')[0] ?? '');
}

function storyOf(name: string, ofSeed: number): Story {
	const [story] = fc.sample(storiesFor(name), { seed: ofSeed, numRuns: 1 });
	if (story === undefined) throw new Error(`${name} has no stories`);
	return story;
}

async function broken(
	name: string,
	ofSeed: number,
	invariants: typeof INVARIANTS,
): Promise<Broken | undefined> {
	return await judged(storyOf(name, ofSeed), invariants);
}

async function judged(story: Story, invariants: typeof INVARIANTS): Promise<Broken | undefined> {
	let timeline = '';
	return await playWeeks(environment, story, (passed) => {
		timeline += `${toldOf(passed)}\n\n`;
		const found = firstBroken(invariants, passed);
		return found && { ...found, timeline };
	});
}

/** Describes the simplest story with an unknown break. */
async function failureOf(name: string, ofSeed: number): Promise<string> {
	const invariants = unknown(name);
	let last: Broken | undefined;
	let simplest: Story | undefined;
	// The clock of the stories is not the real one.
	const endMs = performance.now() + MOST_SIMPLIFYING_MS;
	const property = fc.asyncProperty(storiesFor(name), async (story) => {
		const isOver = last !== undefined && performance.now() > endMs;
		const found = isOver ? undefined : await judged(story, invariants);
		if (found === undefined) return;
		[last, simplest] = [found, story];
		throw new Error(found.title);
	});
	await fc.check(property, { seed: ofSeed, numRuns: 1 });
	return [
		`${last?.title}: ${last?.what}`,
		...(simplest === undefined ? [] : linesOf(simplest)),
		last?.timeline,
		`Again: npm run test:model -- --of ${name} --seed ${ofSeed} --runs 1`,
	].join('\n');
}

function linesOf({ workflow, held, variant, troubled }: Story): string[] {
	const { items, ...rest } = workflow;
	return [
		text(rest),
		...items.map(({ json, wants, takes }) =>
			text({ json, wants: wants.map((one) => one.title), takes }),
		),
		`held: ${text(held)}`,
		`the service: ${text({ ...variant, web: { ...variant.web, sites: undefined } })}`,
		...troubled.map((week) => `trouble: ${text({ ...week, variant: undefined })}`),
	];
}

function toldOf({ calm, runs: all, log, stoppedAtMs }: Passed): string {
	const lines = all.map((run, at) => timelineOf({ log: at === 0 ? log : [], run }));
	const hints = all.flatMap((run) => run.hints.map(({ message }) => `  hint: ${message}`));
	const week = calm > 0 ? `Calm week ${calm}` : 'A week with trouble';
	return [week, stoppedAtMs === undefined ? '' : 'stopped', ...lines, ...hints].join('\n');
}
