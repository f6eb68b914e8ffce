import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { add, freshService } from './fixture';

const service = freshService();

/** The same field, written so that n8n evaluates it. */
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

test("a field read directly gives what n8n's own evaluation gives, whatever it holds", async () => {
	const item = fc.record({ agent: value, files: value }, { requiredKeys: [] });
	await fc.assert(
		fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 4 }), async (items) => {
			const run = async (parameters: INodeParameters) => {
				service().reset();
				const options = { maxAttempts: 1 };
				const scenario = { options, onError: 'continueRegularOutput' as const, parameters };
				const { output } = await add(service(), items, scenario);
				const sent = service().requests();
				return [output, sent.map(({ path, body }) => [path, body])];
			};
			expect(await run({})).toEqual(await run(EVALUATED));
		}),
		{ seed: 4, numRuns: 60 },
	);
});
