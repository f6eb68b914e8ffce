import { assertAllInUse } from './inUse.mjs';
import { proveLanes } from './prove.mjs';
import { browser } from './topics/browser.mjs';
import { engine } from './topics/engine.mjs';
import { examples } from './topics/examples.mjs';
import { published } from './topics/published.mjs';
import { queue } from './topics/queue.mjs';
import { scheduler } from './topics/scheduler.mjs';
import { secrets } from './topics/secrets.mjs';
import { versions } from './topics/versions.mjs';

/** The lanes take about the same time. The topics of the first share an n8n, which `secrets` searches last. */
const LANES = [
	[engine, published, examples, secrets],
	[browser, queue, scheduler, versions],
];

/** `npm run test:n8n [-- topic …]`: every promise of the README and docs/ that needs a real n8n. */
assertAllInUse(LANES.flat().map(({ name }) => name));
await proveLanes(LANES, process.argv.slice(2));
