import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { plainPath, plainValue } from '../../../nodes/CometChatKnowledgeBase/fields/plainPath';
import { evaluated } from '../engine';
import { add, freshService } from '../fixture';

const service = freshService();

/** The same field in a form that n8n evaluates. */
const EVALUATED: INodeParameters = {
	uid: { __rl: true, mode: 'id', value: '={{ ($json.agent) }}' },
	fileIds: '={{ ($json.files) }}',
};

const name = fc.constantFrom('a', 'b', '', ' a ', '1', '={{ 1 }}', '[object Object]');
const entry = fc.oneof(
	name,
	fc.integer(),
	fc.boolean(),
	fc.record({ id: name }),
	fc.constant(null),
);
const value = fc.oneof(
	name,
	fc.integer(),
	fc.array(entry, { maxLength: 3 }),
	fc.record({ id: entry }),
);

test("a field that is read directly has the value of n8n's own evaluation, for any content", async () => {
	const item = fc.record({ agent: value, files: value }, { requiredKeys: [] });
	await fc.assert(
		fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 4 }), async (items) => {
			const run = async (parameters: INodeParameters) => {
				service().reset();
				const scenario = { onError: 'continueRegularOutput' as const, parameters };
				const { output } = await add(service(), items, scenario);
				const sent = service().requests();
				return [output, sent.map(({ path, body }) => [path, body])];
			};
			expect(await run({})).toEqual(await run(EVALUATED));
		}),
		{ seed: 4, numRuns: 60 },
	);
});

/** Returns a path in the form of n8n's editor: identifiers after dots, indexes in brackets, others quoted. */
function dragged(steps: Array<string | number>, quote = "'"): string {
	const written = steps.map((step) => {
		if (typeof step === 'number') return `[${step}]`;
		if (quote === "'" && /^[a-z_$][\w$]*$/i.test(step)) return `.${step}`;
		return `[${quote}${step.replaceAll(quote, `\\${quote}`)}${quote}]`;
	});
	return `={{ $json${written.join('')} }}`;
}

const HARD_NAMES = [
	...['File IDs', "it's", 'say "hi"', '', ' ', '0', '01', 'a.b', 'a-b', '[0]', "']", "\\'", 'a\\b'],
	...'{{ }} { \\}} größe 名前 🙂 $ $json _a'.split(' '),
	...['} }', '\n', '\u2028', '\ud800', '// a', '/* a */'],
	...'this class globalThis process json length then toJSON extend first'.split(' '),
	...'__proto__ constructor x.constructor constructors prototype toString execve'.split(' '),
	...'.first( $if( `${1}` extend( __sanitize ___n8n_data'.split(' '),
];

test('for any names in the path to a field, it is read as n8n reads it, or by n8n', () => {
	const fieldName = fc.oneof(fc.constantFrom(...HARD_NAMES), fc.string({ unit: 'binary' }));
	const step = fc.oneof({ weight: 3, arbitrary: fieldName }, { weight: 1, arbitrary: fc.nat(2) });
	const steps = fc.array(step, { minLength: 1, maxLength: 4 });
	let read = 0;
	fc.assert(
		fc.property(steps, steps, value, fc.constantFrom("'", '"'), (there, asked, end, quote) => {
			for (const way of [there, asked]) {
				const expression = dragged(way, quote);
				const json = around(there, end);
				const found = plainValue(json, plainPath(expression) ?? ['nowhere', 'at all']);
				if (found === undefined) continue;
				read += 1;
				expect([expression, evaluated(expression, json)]).toEqual([expression, found]);
			}
		}),
		{ seed: 4, numRuns: 600 },
	);
	expect(read).toBeGreaterThan(100);
});

/** Makes an item with a value at the end of a path. */
function around(steps: Array<string | number>, value: unknown): IDataObject {
	const json = steps.reduceRight<unknown>(
		(inner, step) =>
			typeof step === 'number' ? [...Array(step).fill('x'), inner] : { [step]: inner },
		value,
	);
	return { ...Object(json) };
}
