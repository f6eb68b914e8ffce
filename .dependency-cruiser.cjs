/**
 * Checks the imports between rooms (`npm run lint:rooms`): a room only imports rooms before it in this list, so that
 * imports have one direction.
 */
const NODE = '^nodes/CometChatKnowledgeBase';

/** The rooms, each with the earlier rooms that it must not import. */
const ROOMS = [
	// Values from outside: names, quoting, times, JSON, failures.
	{ room: 'text' },
	// A request and its retries: account, authentication, redaction, errors and their table.
	{ room: 'http' },
	// The results of items: output fields and rows, errors and hints.
	{ room: 'output' },
	// The fields of the panel: kinds of fields, common fields, IDs, files.
	{ room: 'fields', not: ['http'] },
	// CometChat's API: shapes, lists, and a file per subject.
	{ room: 'api' },
	// Operations over items: how they are defined, read and run.
	{ room: 'operations' },
	// The documents of an execution: planned, created, indexed, added, and old versions removed.
	{ room: 'delivery' },
	// The lists to choose from.
	{ room: 'editor', not: ['operations', 'delivery'] },
	// The changes since the last poll.
	{ room: 'trigger', not: ['editor'] },
	// One file per operation.
	{ room: 'resources', not: ['editor', 'trigger'] },
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
			to: { path: '^nodes/', pathNot: `${NODE}/(text|http)/` },
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
			to: { path: `${NODE}/(operations|resources|run)` },
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
