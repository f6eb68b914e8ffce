import { browser } from './browser.mjs';
import { engine } from './engine.mjs';
import { gone } from './gone.mjs';
import { nights } from './nights.mjs';
import { proveTopics } from './prove.mjs';
import { queue } from './queue.mjs';
import { soak } from './soak.mjs';
import { versions } from './versions.mjs';

/** `npm run test:n8n [-- topic …]`: every promise of the README and docs/ that needs a real n8n. */
await proveTopics([engine, nights, gone, soak, browser, queue, versions], process.argv.slice(2));
