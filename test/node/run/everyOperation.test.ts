import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Option } from '../../../nodes/CometChatKnowledgeBase/fields/field';
import { requestOptions } from '../../../nodes/CometChatKnowledgeBase/fields/fields';
import { resources } from '../../../nodes/CometChatKnowledgeBase/resources/registry';
import type { LogEntry, RecordSeed, Rule } from '../../service/service';
import type { Run, Scenario } from '../engine';
import { freshService, KEY } from '../fixture';
import type { OperationName } from '../operations';
import { agent, continuing, errorOf, file, needed, runFiles } from '../operations';
import { expectHidden, repeating, SAID_IN_ERRORS, SIGNED } from './repeatingService';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/text/json';

type Request = NonNullable<LogEntry['operation']>;

/** The special needs of a successful execution, for each item with its own number. */
interface GoodRun {
	/** Parameters in addition to the required fields. */
	parameters?: INodeParameters;
	/** The requests that would create a duplicate if they were repeated after a lost response. */
	once?: Request[];
	/** The requests without which the item is still done. */
	beside?: Request[];
	/** Fields whose ID may be unknown, because the output then says so. */
	mayBeUnknown?: string[];
}

const mine = (name: string) => `={{ "${name}" + $json.number }}`;
const TEXT = { documentName: mine('Name '), text: mine('Text ') };
const toAgent = { addToAgent: true, waitUntilIndexed: true };

/** The operations with special needs. A new operation has none at first. */
const GOOD_RUNS: Record<OperationName, GoodRun> = {
	'document.upload': {
		parameters: { ...toAgent, ifNameExists: 'replace', ...TEXT },
		beside: ['pages'],
	},
	'document.getStatus': { beside: ['records'], mayBeUnknown: ['fileIds'] },
	'document.delete': { parameters: { ifUsed: 'delete' } },
	'knowledgeBase.add': { beside: ['records'] },
	'knowledgeBase.remove': { beside: ['records'] },
	// The check for text in a new document is a single attempt.
	'knowledgeBase.sync': { parameters: TEXT, beside: ['list', 'pages'] },
	'text.create': { parameters: toAgent, once: ['createText'], beside: ['records'] },
	'text.upsert': { parameters: { ...toAgent, title: mine('Text ') } },
	'text.update': { parameters: { ...toAgent, updateFields: { text: 'From 9 to 5.' } } },
	'website.crawl': {
		parameters: { ...toAgent, url: mine('https://new.example.com/') },
		once: ['crawl', 'processUrls'],
		beside: ['pages'],
	},
	'agent.ask': {
		parameters: { question: mine('When '), answerMustContain: 'When' },
		once: ['sendMessage'],
		beside: ['deleteMessage'],
	},
	'agent.create': { once: ['createAgent'] },
	'agent.update': { parameters: { updateFields: { name: mine('Other ') } } },
};

const NUMBERS = [1, 2, 3];
const siteOf = (number: number) => `https://site${number}.example.com`;
const records = NUMBERS.flatMap((number): RecordSeed[] => [
	{ uniqueId: `file${number}`, sourceName: `file${number}.pdf` },
	{ uniqueId: `text${number}`, sourceName: `Text ${number}`, type: 'text-details' },
	{ uniqueId: `site${number}`, sourceName: siteOf(number), type: 'website' },
]);
const pageOf = (number: number) => {
	return { urlId: `page${number}`, url: `${siteOf(number)}/a`, status: 'failed' as const };
};
let onArrival: (entry: LogEntry) => void = () => undefined;
const service = freshService({
	agents: NUMBERS.map((number) => ({ uid: `agent${number}`, name: `Agent ${number}` })),
	records,
	found: Object.fromEntries(NUMBERS.map((number) => [`site${number}`, [pageOf(number)]])),
	sites: { 'https://new.example.com': { pages: [{ url: '/a' }] } },
	answering: { users: NUMBERS.map((number) => `user${number}`) },
	unknownFiles: 'refuse',
	onEntry: (entry) => onArrival(entry),
});
const arrived = () => service().log.filter(({ kind }) => kind === 'arrived');

interface Play extends Pick<Partial<Scenario>, 'onError'> {
	/** The number of items; one if left out. */
	count?: number;
	rules?: Rule[];
	parameters?: INodeParameters;
	options?: INodeParameters;
	/** Presses the stop button once such a request has arrived. */
	stopAt?: Request;
}

/** Runs an operation in a new account: each agent uses the file with its number. */
async function play(
	name: OperationName,
	{ count = 1, rules = [], parameters, stopAt, ...more }: Play = {},
): Promise<Run> {
	const { bringsFile, ...good } = goodRun(name);
	service().reset();
	if (/^(knowledgeBase|agent)\./.test(name))
		NUMBERS.forEach((number) => service().attach(`agent${number}`, [`file${number}`]));
	service().script(...rules);
	const stop = new Promise<void>((resolve) => {
		onArrival = ({ kind, operation }) => {
			// A request of the previous execution may end only now.
			if (kind === 'arrived' && stopAt && operation === stopAt) resolve();
		};
	});
	const numbers = NUMBERS.slice(0, count);
	const files = numbers.map((number) => ({ data: file(`file${number}.pdf`, 'New.') }));
	return await runFiles(service(), name, {
		...more,
		stop,
		items: numbers.map((number) => ({ number })),
		files: bringsFile ? files : undefined,
		parameters: { ...good.parameters, ...parameters },
	});
}

function goodRun(name: OperationName) {
	const { fields = [] } = operations.find((one) => one.name === name) ?? {};
	const has = (field: string) => fields.some((one) => one.name === field);
	const { parameters = {}, once = [], beside = [], mayBeUnknown = [] } = GOOD_RUNS[name] ?? {};
	return {
		parameters: { ...needed(fields, mine, parameters), ...parameters },
		...{ once, beside, mayBeUnknown },
		bringsFile: has('binaryPropertyName'),
		givesList: has('returnAll'),
	};
}

const asked = new Map<OperationName, Request[]>();

/** Returns the requests of a successful execution with one item, without repetitions. */
async function requestsOf(name: OperationName): Promise<Request[]> {
	const known = asked.get(name);
	if (known !== undefined) return known;
	await play(name);
	const found = [...new Set(arrived().flatMap(({ operation = [] }) => operation))];
	asked.set(name, found);
	return found;
}

const operations = resources.flatMap(({ value: resource, operations: all }) =>
	all.map(({ value, fields, options }) => ({
		...{ name: `${resource}.${value}` as const, fields, options },
	})),
);
const sent = (request: Request) =>
	arrived().filter(({ operation }) => operation === request).length;
const failed = ({ output }: Run) => output.filter(({ json }) => json.error);
const itemsOf = (output: Run['output']) => output.map(({ pairedItem }) => pairedItem);
const numbered = (count: number) => NUMBERS.slice(0, count).map((_, item) => ({ item }));

test('each special need belongs to an operation of the node', () => {
	const names = operations.map(({ name }) => name);
	expect(Object.keys(GOOD_RUNS).filter((name) => !names.some((one) => one === name))).toEqual([]);
});

describe('A good run returns an outcome for each item, linked to it', () => {
	test.each(operations)('$name', async ({ name }) => {
		const run = await play(name, { count: 3 });
		expect(run).toMatchObject({ status: 'success', errorOutput: [] });
		expect(failed(run)).toEqual([]);
		const links = itemsOf(run.output).map((link) => JSON.stringify(link));
		const outcomes = goodRun(name).givesList ? [...new Set(links)] : links;
		expect(outcomes).toEqual(numbered(3).map((link) => JSON.stringify(link)));
	});
});

const BUSY: Rule[] = [{ status: 429 }, { status: 503 }, { drop: 'afterApplying' }];

describe('A request that CometChat is too busy for, or whose response was lost,', () => {
	test.each(operations)('is repeated until it is done: $name', async ({ name }) => {
		const { once, beside } = goodRun(name);
		const busy = (request: Request) => (once.includes(request) ? BUSY.slice(0, 1) : BUSY);
		const requests = await requestsOf(name);
		const rules = requests.flatMap((operation) =>
			busy(operation).map((rule): Rule => ({ for: { operation }, ...rule })),
		);
		const run = await play(name, { ...continuing, rules });
		expect(errorOf(run)).toBeUndefined();
		const isGivenUp = (request: Request) => sent(request) <= busy(request).length;
		expect(requests.filter(isGivenUp).filter((one) => !beside.includes(one))).toEqual([]);
	});

	const changing = operations.filter(({ name }) => goodRun(name).once.length > 0);

	test.each(changing)('is not repeated if it could create a duplicate: $name', async ({ name }) => {
		for (const operation of goodRun(name).once) {
			for (const rule of BUSY.slice(1)) {
				const run = await play(name, { ...continuing, rules: [{ for: { operation }, ...rule }] });
				const error = errorOf(run);
				// The node has found that it exists.
				if (error === undefined) continue;
				expect([operation, sent(operation)]).toEqual([operation, 1]);
				expect(error).toMatchObject({
					effect: expect.stringMatching(/^(unknown|partly applied)$/),
				});
			}
		}
	});
});

/** Returns the complete response, but with `success: false`. */
const denied = (body: unknown) => ({ ...(isRecord(body) ? body : { data: body }), success: false });

describe('Another answer than the documented one is no success', () => {
	const answers: Rule[] = [
		{ body: '<html><title>Sign in</title></html>', contentType: 'text/html' },
		{ body: '' },
		{ transform: denied, apply: false },
	];

	const read = new Set<Request>();

	test.each(operations)('$name', async ({ name }) => {
		const { beside } = goodRun(name);
		for (const operation of await requestsOf(name)) {
			// The upload host has its own tests.
			if (operation === 'upload') continue;
			// Unreadable responses are read in one place for all operations.
			const isRead = read.has(operation);
			read.add(operation);
			for (const [at, rule] of answers.slice(isRead ? -1 : 0).entries()) {
				const run = await play(name, {
					...continuing,
					rules: [{ for: { operation }, times: Infinity, ...rule }],
				});
				expect(itemsOf(run.output)).toEqual([{ item: 0 }]);
				const isFailed = failed(run).length === 1;
				expect([operation, at, isFailed]).toEqual([operation, at, !beside.includes(operation)]);
			}
		}
	});
});

describe("A refusal shows CometChat's code and message, and what to do", () => {
	const refusals: Array<[number, RegExp]> = [
		[401, /In the credential, enter the app's REST API Key/],
		[404, /Check /],
		[500, /If this keeps happening, |Check |again/],
	];

	test.each(operations)('$name', async ({ name }) => {
		for (const [status, whatToDo] of refusals) {
			const said = { status, code: 'ERR_ODD', message: 'Its own words' };
			const rule = { ...said, envelope: 'gateway' as const, times: Infinity };
			const { error } = await play(name, { rules: [rule] });
			expect(error?.message).toMatch(/^[A-Z].*[^\]]$/);
			expect(error?.description).toContain(
				`CometChat answered with status ${status} (ERR_ODD): Its own words.`,
			);
			expect(error?.description).toMatch(whatToDo);
		}
	});
});

describe('An ID that CometChat does not know is explained, with the field to check', () => {
	test.each(operations)('$name', async ({ name, fields }) => {
		const { parameters, mayBeUnknown } = goodRun(name);
		for (const { name: field, displayName, type } of fields) {
			const isId = type === 'resourceLocator' || ['fileIds', 'pickedFiles'].includes(field);
			if (!isId || !(field in parameters)) continue;
			const value = type === 'resourceLocator' ? agent('nobody') : '={{ "nobody" }}';
			const run = await play(name, { ...continuing, parameters: { [field]: value } });
			const error = errorOf(run);
			if (mayBeUnknown.includes(field)) {
				expect([displayName, error]).toEqual([displayName, undefined]);
				continue;
			}
			expect(error).toMatchObject({
				message: expect.stringMatching(/^CometChat (does not know|lists no|has no) .*[^\]]$/),
				description: expect.stringMatching(
					new RegExp(`(Check|in|and) '${displayName}'|Compare the ID and the source type`),
				),
			});
		}
	});
});

interface Place {
	field: INodeProperties;
	inside?: string;
}

function placesOf(fields: INodeProperties[]): Place[] {
	return fields.flatMap((field): Place[] => {
		if (field.type !== 'collection') return [{ field }];
		const inner = (field.options ?? []).flatMap((one) => ('type' in one ? [one] : []));
		return inner.map((one) => ({ field: one, inside: field.name }));
	});
}

/** Values without a meaning, as expressions, by the type of a field. */
const NONSENSE: Record<string, string[]> = {
	string: ['[[{}]]'],
	number: ['"many"', '-1'],
	boolean: ['"maybe"', '""', '$json.nothing'],
	options: ['".."', '""', '$json.nothing'],
	multiOptions: ['["a/b", {}]'],
	resourceLocator: ['""', '".."'],
};

function nonsenseFor({ type, required, typeOptions, modes }: INodeProperties): string[] {
	// A name may be any text.
	if (modes?.some(({ name }) => name === 'name')) return ['""'];
	// An entry of CometChat's lists may be any ID.
	const isListed = type === 'options' && typeOptions?.loadOptionsMethod !== undefined;
	const nonsense = NONSENSE[isListed ? 'string' : type] ?? [];
	return required && type === 'string' ? [...nonsense, '""'] : nonsense;
}

/** Returns a valid value of a field, as an expression. */
function usualFor({ name, type, default: usual, options = [] }: INodeProperties): string {
	const choice = options.flatMap((one) => ('value' in one ? [one.value] : [])).at(-1);
	if (type === 'multiOptions') return JSON.stringify([choice]);
	if (type === 'dateTime' || name === 'modified') return '"2026-11-21T14:03:00Z"';
	// The last choice needs no other field.
	const isChosen = usual === '' || Object(usual) === usual || type === 'options';
	return JSON.stringify(isChosen ? (choice ?? 'zz') : usual);
}

/** Returns parameters with another value for the second item. */
function withValue(
	{ field, inside }: Place,
	value: string,
	good: INodeParameters,
): INodeParameters {
	const { name, default: usual, displayOptions, type } = field;
	const shown = Object.entries(displayOptions?.show ?? {}).map(([other, of]) => [other, of?.[0]]);
	const wrapped = (expression: string) =>
		type === 'resourceLocator' ? agent(`={{ ${expression} }}`) : `={{ ${expression} }}`;
	if (inside !== undefined) {
		const second = wrapped(`$json.number === 2 ? ${value} : ${usualFor(field)}`);
		return { [inside]: { ...Object.fromEntries(shown), [name]: second } };
	}
	const given: unknown =
		type === 'resourceLocator' ? Object(good[name] ?? usual).value : good[name];
	const first = /^={{(.*)}}$/s.exec(String(given))?.[1] ?? JSON.stringify(given ?? usual);
	const second = wrapped(`$json.number === 2 ? ${value} : ${first}`);
	return { ...Object.fromEntries(shown), [name]: second };
}

/** Returns values of the fields that n8n requires when another field is an expression. */
function filled(fields: INodeProperties[]): INodeParameters {
	const values = { multiOptions: ['x'], resourceLocator: agent('x'), string: 'x' };
	return Object.fromEntries(
		fields.flatMap(({ name, type, required, default: usual }) =>
			required && type in values ? [[name, usual === '*' ? usual : Object(values)[type]]] : [],
		),
	);
}

/** Whether a bad document only fails its own item, as in Sync Folder or Table. */
function failsAlone(name: string, { field }: Place): boolean {
	const ofDocument = ['binaryPropertyName', 'documentName', 'text', 'startWithName'];
	return name === 'knowledgeBase.sync' && ofDocument.includes(field.name);
}

/** Whether an empty text is a draft, which Sync Folder or Table skips. */
function isSkipped(name: string, { field }: Place, value: string): boolean {
	const isEmpty = ['""', 'undefined', 'null'].includes(value);
	return name === 'knowledgeBase.sync' && field.name === 'text' && isEmpty;
}

describe('A value without a meaning is refused by its field and item, before anything is sent', () => {
	test.each(operations)('$name', async ({ name, fields }) => {
		const { parameters: good } = goodRun(name);
		const parameters = { ...filled(fields), ...good };
		const accepted: string[] = [];
		// Only a tool reads the fields of tools.
		const ofNode = fields.filter(({ displayOptions }) => !displayOptions?.show?.['@tool']);
		for (const place of placesOf(ofNode)) {
			const { displayName } = place.field;
			for (const value of nonsenseFor(place.field)) {
				const run = await play(name, {
					count: 2,
					parameters: { ...parameters, ...withValue(place, value, parameters) },
				});
				const { message = '' } = run.error ?? {};
				const item = place.field.noDataExpression ? '' : '[item 2]';
				const isRefused =
					isSkipped(name, place, value) ||
					(message.includes(`'${displayName}'`) && message.includes(item));
				if (!isRefused || (service().log.length > 0 && !failsAlone(name, place)))
					accepted.push(`${displayName} = ${value}: ${message}`);
			}
		}
		expect(accepted).toEqual([]);
	});
});

function textPlacesOf(fields: INodeProperties[]): Place[] {
	return placesOf(fields).filter(({ field: { name, type, typeOptions } }) => {
		// A time in the form of storage services.
		if (name === 'modified') return false;
		const isListed = type === 'options' && typeOptions?.loadOptionsMethod !== undefined;
		return type === 'string' || type === 'resourceLocator' || isListed;
	});
}

/** Values that are no text, and their description in messages. */
const NO_TEXT: Array<[value: string, what: string]> = [
	['undefined', 'empty|no text'],
	['null', 'empty|no text'],
	['true', 'true'],
	['{ a: 1 }', 'an object|{"a":1}'],
	['[[1]]', 'a list|\\[1\\]'],
];

describe('What is no text is refused by its field and item, says what it is, and nothing is sent; a number is text', () => {
	test.each(operations)('$name', async ({ name, fields }) => {
		const { parameters: good } = goodRun(name);
		const parameters = { ...filled(fields), ...good };
		const wrong: string[] = [];
		for (const place of textPlacesOf(fields)) {
			const label = place.field.displayName;
			const messageFor = async (value: string) => {
				const given = { ...parameters, ...withValue(place, value, parameters) };
				const { error } = await play(name, { count: 2, parameters: given });
				return error?.message ?? '';
			};
			for (const [value, what] of NO_TEXT) {
				const message = await messageFor(value);
				const says = new RegExp(`'${label}' (?:is|has) .*(?:${what}).*\\[item 2\\]`);
				const isRefused = isSkipped(name, place, value) || says.test(message);
				if (!isRefused || (service().log.length > 0 && !failsAlone(name, place)))
					wrong.push(`${label} = ${value}: ${message}`);
			}
			const [asNumber, asText] = [await messageFor('2025'), await messageFor('"2025"')];
			if (asNumber !== asText) wrong.push(`${label} = 2025: ${asNumber}`);
		}
		expect(wrong).toEqual([]);
	});
});

/** Returns two values of an option, the second different from the default. */
function twoValues({ property: { type, default: usual, options = [] } }: Option<unknown>) {
	const choices = options.flatMap((one) => ('value' in one ? [one.value] : []));
	const values: Record<string, unknown[]> = {
		options: [usual, choices.find((one) => one !== usual)],
		boolean: [usual, usual !== true],
		number: [usual, 7],
		string: ['First name', 'Second name'],
	};
	const [first, second] = (values[type] ?? []).map((one) => JSON.stringify(one));
	return { first, second, each: `={{ $json.number === 2 ? ${second} : ${first} }}` };
}

const ownOptions = operations.flatMap(({ name, options }) =>
	options.map((option) => ({ name, option, label: option.property.displayName })),
);

describe('An option by expression applies to its own item', () => {
	const ofItems = ownOptions.filter(({ option }) => !option.isForExecution);

	const outcomes = async (name: OperationName, options: INodeParameters) => {
		const { output } = await play(name, { ...continuing, count: 2, parameters: { options } });
		const told = output.map(({ json, pairedItem }) => {
			// Values that the simulation makes, and durations. Failed items may share a request.
			const made = /"(?:durationMs|createdAt|updatedAt)":[^,}]+|[\da-f]{8}(?:-[\da-f]{4,12}){4}/g;
			const said = Object(json.error).message ?? JSON.stringify(json).replace(made, '');
			return [pairedItem, said] as const;
		});
		return [0, 1].map((item) => told.filter(([link]) => Object(link).item === item));
	};

	test.each(ofItems)('$name: $label', async ({ name, option }) => {
		const { first, second, each } = twoValues(option);
		const key = option.property.name;
		const [asFirst] = await outcomes(name, { [key]: `={{ ${first} }}` });
		const [, asSecond] = await outcomes(name, { [key]: `={{ ${second} }}` });
		expect(await outcomes(name, { [key]: each })).toEqual([asFirst, asSecond]);
	});
});

describe('Items that differ in a setting of the whole execution are refused before anything is sent', () => {
	const shared = [
		...ownOptions.filter(({ option }) => option.isForExecution),
		...Object.values(requestOptions).map((option) => ({
			name: 'document.delete' as const,
			option,
			label: option.property.displayName,
		})),
	];

	test.each(shared)('$name: $label', async ({ name, option, label }) => {
		const { each } = twoValues(option);
		const isSetting = Object.values<Option<unknown>>(requestOptions).includes(option);
		const menu = isSetting ? 'requestOptions' : 'options';
		const given = (value: string) => ({ [menu]: { [option.property.name]: value } });
		const { error } = await play(name, { count: 3, parameters: given(each) });
		const message = `Items 1, 2, 3 have different values: "${label}"`;
		expect(error?.message).toContain(message);
		const { output } = await play(name, { ...continuing, count: 3, parameters: given(each) });
		expect(output.map((_, item) => errorOf({ output }, item))).toMatchObject(
			NUMBERS.map(() => ({ message: expect.stringContaining(message) })),
		);
		expect(service().log).toEqual([]);
		const alike = each.replace('=== 2', '> 0');
		const run = await play(name, { count: 3, parameters: given(alike) });
		expect(run.error).toBeUndefined();
	});
});

describe('The key is nowhere: in no output, error, hint, stored execution or static data', () => {
	const rules: Rule[] = [
		repeating,
		{ status: 400, code: KEY, message: SAID_IN_ERRORS },
		{ status: 302, headers: { Location: SIGNED, 'X-Key': KEY } },
	];

	test.each(operations)('$name', async ({ name }) => {
		for (const rule of rules) {
			for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
				const run = await play(name, { onError, rules: [{ ...rule, times: Infinity }] });
				const { stored, error, hints, staticData } = run;
				expect(stored).toContain('CometChat');
				expectHidden(stored, error, String(error?.stack), hints, staticData);
			}
		}
	});
});

describe('Items that fail', () => {
	const rules = [{ status: 400, times: Infinity }];

	test.each(operations)(
		'return one error each, where the workflow wants it: $name',
		async ({ name }) => {
			const { output } = await play(name, { count: 3, rules, ...continuing });
			expect(itemsOf(output)).toEqual(numbered(3));
			expect(output.map(({ json }) => typeof json.error)).toEqual(['object', 'object', 'object']);
			const routed = await play(name, { count: 3, rules, onError: 'continueErrorOutput' });
			expect(routed.output).toEqual([]);
			expect(itemsOf(routed.errorOutput)).toEqual(numbered(3));
		},
	);

	test.each(operations)(
		'stop the execution if it should stop, with at most ten requests: $name',
		async ({ name }) => {
			const { status, error, output } = await play(name, { count: 12, rules });
			expect({ status, output }).toEqual({ status: 'error', output: [] });
			expect(error?.message).toMatch(/ \[item 1\]$/);
			// n8n's editor would add a second number, which counts from 0.
			expect(error).not.toHaveProperty('context.itemIndex', expect.anything());
			expect(arrived().length).toBeLessThanOrEqual(10);
		},
	);
});

describe('The stop button ends the execution at any request, and nothing is sent after it', () => {
	test.each(operations)('$name', async ({ name }) => {
		for (const operation of await requestsOf(name)) {
			const rules = [{ for: { operation }, latencyMs: 60_000 }];
			const { status } = await play(name, { rules, stopAt: operation });
			expect([operation, status]).toEqual([operation, 'canceled']);
			expect(arrived().at(-1)?.operation).toBe(operation);
		}
	});
});
