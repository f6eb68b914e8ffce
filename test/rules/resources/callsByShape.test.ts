import { callsByShape } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/callsByShape';

type Shape = ReturnType<typeof callsByShape>;

/** A workflow of `from>to` around the node `sync`. */
function around(lines: string) {
	const edges = lines.split(' ').map((line) => line.split('>'));
	const reach = (from: string, [near, far]: [0 | 1, 0 | 1], depth = Infinity) => {
		const found = new Set<string>();
		let edge = [from];
		for (let at = 0; at < depth && edge.length > 0; at++) {
			edge = edges.flatMap((one) => (edge.includes(one[near] ?? '') ? [one[far] ?? ''] : []));
			edge = edge.filter((name) => !found.has(name));
			for (const name of edge) found.add(name);
		}
		return [...found].map((name) => ({ name, type: name, typeVersion: 1, disabled: false }));
	};
	const position: [number, number] = [0, 0];
	const node = { id: '1', name: 'sync', type: 'sync', typeVersion: 1, position, parameters: {} };
	return {
		getNode: () => node,
		getParentNodes: (name: string, { depth }: { depth?: number } = {}) =>
			reach(name, [1, 0], depth),
		getChildNodes: (name: string) => reach(name, [0, 1]),
	};
}

describe('The shape of a workflow', () => {
	test.each<[string, string, Shape]>([
		['a chain', 'start>list list>file file>sync', undefined],
		['a chain that goes on', 'start>file file>sync sync>tell', undefined],
		['what was joined before', 'start>a start>b a>merge b>merge merge>sync', undefined],
		['a loop that has ended before', 'start>each each>file file>each each>sync', undefined],
		['several triggers before it', 'night>list hand>list list>sync', undefined],
		['branches', 'start>a start>b a>sync b>sync', 'branches'],
		['a loop', 'start>each each>file file>sync sync>each', 'loop'],
	])('%s: %s', (_, lines, shape) => {
		expect(callsByShape(around(lines))).toBe(shape);
	});
});
