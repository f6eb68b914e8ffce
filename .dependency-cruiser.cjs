/**
 * The plan of the house: which room may import which. A room imports those before it in this list and
 * no other, so that imports run one way. `npm run lint:rooms` holds it.
 */
const NODE = '^nodes/CometChatKnowledgeBase';

/** Each with the rooms that it may import beside itself. */
const ROOMS = {
	// Foreign values: what is wrong with them, quoting, switches, sizes.
	values: [],
	// Who goes when: permits, and order by key. It knows nothing of n8n, nor of CometChat.
	concurrency: [],
	// Where and who: the credential's host and key.
	account: ['values'],
	// One request until it is answered: transport, attempts, retries, rate limiter, timeout.
	requests: ['values', 'account'],
	// What an item came to, and what a person is told of it.
	results: ['values', 'account', 'requests'],
	// What the user fills in.
	input: ['values', 'results'],
	// CometChat on the wire, a file a subject.
	service: ['values', 'account', 'requests', 'results', 'input'],
	// An operation over items: its contract, and the loop.
	execution: ['values', 'concurrency', 'requests', 'results', 'input', 'service'],
	// What there is, and who has it.
	inventory: ['values', 'account', 'requests', 'results', 'input', 'service', 'execution'],
	// A document on its way to an agent.
	ingestion: [
		'values',
		'concurrency',
		'account',
		'requests',
		'results',
		'input',
		'service',
		'execution',
		'inventory',
	],
	// The pickers and the credential test.
	methods: ['values', 'account', 'requests', 'results', 'input', 'service', 'inventory'],
	// What has happened since the last poll.
	trigger: ['values', 'account', 'requests', 'results', 'input', 'service', 'inventory'],
	// One file an operation.
	resources: [
		'values',
		'concurrency',
		'account',
		'requests',
		'results',
		'input',
		'service',
		'execution',
		'inventory',
		'ingestion',
	],
};

const anyOf = (rooms) => `(${rooms.join('|')})`;

const rooms = Object.entries(ROOMS).map(([room, allowed]) => ({
	name: `room-${room}`,
	comment: `'${room}' imports only ${['itself', ...allowed].join(', ')}.`,
	severity: 'error',
	from: { path: `${NODE}/${room}/` },
	to: { path: '^(nodes|credentials)/', pathNot: `${NODE}/${anyOf([room, ...allowed])}/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		...rooms,
		{
			name: 'resources-apart',
			comment: 'What two resources share lies in a room that both may import.',
			severity: 'error',
			from: { path: `${NODE}/resources/([^/]+)/` },
			to: { path: `${NODE}/resources/`, pathNot: `${NODE}/resources/$1/` },
		},
		{
			name: 'credentials-first',
			comment: 'The credential knows where and who, and nothing of the node.',
			severity: 'error',
			from: { path: '^credentials/' },
			to: { path: '^nodes/', pathNot: `${NODE}/(values|account)/` },
		},
		{
			name: 'known-room',
			comment: 'A new folder needs a line in the plan.',
			severity: 'error',
			from: {},
			to: {
				path: `${NODE}/[^/]+/`,
				pathNot: `${NODE}/${anyOf(Object.keys(ROOMS))}/`,
			},
		},
		{
			name: 'poll-apart',
			comment: 'A poll has no items: it knows neither what goes over them nor the operations.',
			severity: 'error',
			from: { path: `${NODE}/poll\\.ts$` },
			to: { path: `${NODE}/(execution|ingestion|resources|run)` },
		},
		{
			name: 'run-apart',
			comment: 'A run of the node looks for no events.',
			severity: 'error',
			from: { path: `${NODE}/run\\.ts$` },
			to: { path: `${NODE}/(trigger|poll)` },
		},
		{ name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
		{
			name: 'no-tests-in-the-product',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(test|bench)/' },
		},
		{
			name: 'resolvable',
			comment: 'An import that is not found would escape all other rules.',
			severity: 'error',
			from: {},
			to: { couldNotResolve: true },
		},
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		doNotFollow: { path: 'node_modules' },
	},
};
