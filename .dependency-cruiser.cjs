/**
 * The plan of the house: which room may import which. A room imports those before it in this list and
 * no other, so that imports run one way. `npm run lint:rooms` holds it.
 */
const NODE = '^nodes/CometChatKnowledgeBase';

/** What each room is there for, and which of those before it it may not import all the same. */
const ROOMS = [
	// Foreign values: what is wrong with them, quoting, names, times.
	{ room: 'values' },
	// Where and who: the credential's host and key, and that nothing shows them.
	{ room: 'account' },
	// One request until it is answered: transport, attempts, retries, rate limiter, timeout.
	{ room: 'requests' },
	// What an answer that is no success means.
	{ room: 'apiErrors' },
	// What an item came to, and what a person is told of it.
	{ room: 'results' },
	// What the user fills in.
	{ room: 'input', not: ['account', 'requests', 'apiErrors'] },
	// The files of an item.
	{ room: 'files', not: ['account', 'requests', 'apiErrors', 'results'] },
	// How an answer is read: its shape, and page by page.
	{ room: 'api', not: ['files'] },
	// CometChat on the wire, a file a subject.
	{ room: 'service' },
	// An operation over items: its contract, the loop, and who goes when.
	{ room: 'execution', not: ['service'] },
	// The documents of an execution on their way to agents: decided, created, indexed, attached, old ones retired.
	{ room: 'delivery' },
	// The pickers and the credential test.
	{ room: 'methods', not: ['execution', 'delivery'] },
	// The changes since the last poll.
	{ room: 'trigger', not: ['methods'] },
	// One file per operation.
	{ room: 'resources', not: ['methods', 'trigger'] },
];

const anyOf = (rooms) => `(${rooms.join('|')})`;

const rooms = ROOMS.map(({ room, not = [] }, place) => {
	const before = ROOMS.slice(0, place).map((one) => one.room);
	const allowed = [...before.filter((one) => !not.includes(one)), room];
	return {
		name: `room-${room}`,
		comment: `'${room}' imports only ${allowed.join(', ')}.`,
		severity: 'error',
		from: { path: `${NODE}/${room}/` },
		to: { path: '^(nodes|credentials)/', pathNot: `${NODE}/${anyOf(allowed)}/` },
	};
});

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
			name: 'inner-first',
			comment: 'A folder in a folder knows nothing of what stands around it.',
			severity: 'error',
			from: { path: `${NODE}/resources/(.+)/[^/]+/[^/]+\\.ts$` },
			to: { path: `${NODE}/resources/$1/[^/]+\\.ts$` },
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
				pathNot: `${NODE}/${anyOf(ROOMS.map(({ room }) => room))}/`,
			},
		},
		{
			name: 'poll-apart',
			comment: 'A poll has no items: it knows neither what goes over them nor the operations.',
			severity: 'error',
			from: { path: `${NODE}/poll\\.ts$` },
			to: { path: `${NODE}/(execution|resources|run)` },
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
