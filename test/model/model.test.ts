import { brokenPromise, promises } from './changes/oracle';
import { play } from './changes/play';
import { scenarios } from './changes/scenario';
import { Stage } from './stage';
import { storyOf } from './changes/story';
import { KNOWN_AGENTS } from './agents';
import { courseOf } from './course';
import { met, WANTED } from './changes/tally';
import { ANYWHERE, Tally } from './tally';
import { holds } from './trial';

holds({
	name: 'model',
	subject: 'items, options and misbehaviour of the service',
	runs: 2000,
	share: 1,
	scenarios,
	open: async () => await Stage.open(KNOWN_AGENTS),
	play,
	titles: promises.map(({ title }) => title),
	brokenPromise,
	tally: new Tally([...ANYWHERE, ...WANTED], met),
	storyOf,
	courseOf,
});
