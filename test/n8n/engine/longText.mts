import { isDeepStrictEqual } from 'node:util';
import { assertSucceeded } from '../expectation.mjs';
import { fireNight } from '../nights/workflow.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import type { Environment } from './environment.mjs';

const AGENT = 'support-bot';
const TITLE = 'Guide';

/** Of a text that is split. */
export async function proveLongText(
	prove: Prove,
	{ n8n, service, reset, importWorkflow }: Environment,
): Promise<void> {
	await prove(
		'A text of more than 5,000 characters is kept in step in parts: a changed one alone is sent, and surplus ones go',
		async () => {
			reset();
			const workflow = await importWorkflow('long-text');
			// What the node notes of its parts, n8n keeps of a published workflow alone.
			await n8n.rest.activate(workflow);
			/** What the node gives, and which changes of texts it sends for it. */
			const write = async (...paragraphs: string[]) => {
				service.clearLog();
				await fireNight(n8n.baseUrl, 'long-text', { title: TITLE, text: paragraphs.join('\n\n') });
				const [newest] = await n8n.rest.executions(workflow);
				const execution = await n8n.rest.untilEnded(newest?.id ?? 'none');
				assertSucceeded(execution);
				const { action, uniqueIds, uniqueId, deleted } = Object(
					execution.items('Write Text')[0]?.json,
				);
				const sent = service.log.flatMap(({ kind, operation = '' }) =>
					kind === 'arrived' && /^(create|update|delete)Text/.test(operation) ? [operation] : [],
				);
				const ids: string[] = uniqueIds ?? [uniqueId];
				return { action: String(action), ids, deleted, sent: sent.sort().join() };
			};
			const isThere = (ids: string[], texts: string[], titles: string[]) => {
				const found = {
					texts: ids.map((id) => service.text(id)),
					titles: service
						.records()
						.map(({ sourceName }) => sourceName)
						.sort(),
					held: service.files(AGENT, 'text').sort(),
				};
				const expected = { texts, titles, held: [...ids].sort() };
				assertHolds(isDeepStrictEqual(found, expected), JSON.stringify(found).slice(0, 600));
			};

			const first = await write(one, two, three);
			assertHolds(first.action === 'created' && first.ids.length === 3, JSON.stringify(first));
			isThere(first.ids, [one, two, three], ['Guide (1/3)', 'Guide (2/3)', 'Guide (3/3)']);

			const second = await write(one, four, three);
			const { ids } = first;
			const expected = { action: 'updated', ids, deleted: undefined, sent: 'updateText' };
			assertHolds(isDeepStrictEqual(second, expected), JSON.stringify(second));
			isThere(ids, [one, four, three], ['Guide (1/3)', 'Guide (2/3)', 'Guide (3/3)']);

			const third = await write(one, four);
			assertHolds(isDeepStrictEqual(third.deleted, ids.slice(2)), JSON.stringify(third));
			isThere(ids.slice(0, 2), [one, four], ['Guide (1/2)', 'Guide (2/2)']);

			const last = await write('Short.');
			assertHolds(isDeepStrictEqual(last.deleted, [ids[1]]), JSON.stringify(last));
			isThere(ids.slice(0, 1), ['Short.'], [TITLE]);
		},
	);
}

/** So long that no two of them have room in one part. */
const [one, two, three, four] = [
	paragraph('one'),
	paragraph('two'),
	paragraph('three'),
	paragraph('four'),
];

function paragraph(name: string): string {
	return `This is paragraph ${name}. `.repeat(150).trim();
}
