import fc from 'fast-check';

import { KNOWN_AGENTS } from './agents';
import { courseOf } from './course';
import { DOCUMENTS } from './documents/archive';
import { brokenPromise, promisesOf } from './documents/oracle';
import { play } from './documents/play';
import type { Operation } from './documents/scenario';
import { scenariosOf } from './documents/scenario';
import { storyOf } from './documents/story';
import { met, UPLOADING } from './documents/tally';
import { ANYWHERE, Tally } from './tally';
import { Stage } from './stage';
import { holds } from './trial';

const operations: Operation[] = ['upload', 'addText', 'getMany', 'getStatus', 'delete'];

holds({
	name: 'documents',
	subject: 'uploading, writing, listing and deleting',
	runs: 1000,
	share: 0.5,
	scenarios: fc.oneof(
		{ weight: 5, arbitrary: scenariosOf('upload') },
		{ weight: 3, arbitrary: scenariosOf('addText') },
		{ weight: 1, arbitrary: scenariosOf('getMany') },
		{ weight: 1, arbitrary: scenariosOf('getStatus') },
		{ weight: 2, arbitrary: scenariosOf('delete') },
	),
	open: async () => await Stage.open(KNOWN_AGENTS, DOCUMENTS),
	play,
	titles: promisesOf(operations).map(({ title }) => title),
	brokenPromise,
	tally: new Tally(
		[
			...ANYWHERE,
			...UPLOADING,
			...operations.flatMap((operation) => [`${operation}: applied`, `${operation}: not applied`]),
			'upload: unknown',
			'addText: unknown',
			'addText: partly applied',
			'delete: unknown',
			'delete: partly applied',
			'a file deleted for several items',
			'a file that was gone',
			'a second use of an address',
		],
		met,
	),
	storyOf,
	courseOf,
});
