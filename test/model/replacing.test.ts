import { KNOWN_AGENTS } from './agents';
import { courseOf } from './course';
import { OLD_VERSIONS } from './documents/archive';
import { brokenPromise, promisesOf } from './documents/oracle';
import { play } from './documents/play';
import { scenariosOf } from './documents/scenario';
import { storyOf } from './documents/story';
import { met, REPLACING, UPLOADING } from './documents/tally';
import { ANYWHERE, Tally } from './tally';
import { Stage } from './stage';
import { holds } from './trial';

holds({
	name: 'replacing',
	subject: 'Replace File',
	runs: 600,
	share: 0.3,
	scenarios: scenariosOf('replace'),
	open: async () => await Stage.open(KNOWN_AGENTS, OLD_VERSIONS),
	play,
	titles: promisesOf(['replace']).map(({ title }) => title),
	brokenPromise,
	tally: new Tally(
		[
			...ANYWHERE.filter((name) => name !== 'skipped'),
			...UPLOADING.filter((name) => name !== 'upload addresses in another order'),
			...REPLACING,
		],
		met,
	),
	storyOf,
	courseOf,
});
