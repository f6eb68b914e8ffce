import { join } from 'node:path';
import { proveCore } from './core.mjs';
import { proveCommandLine } from './engine/commandLine.mjs';
import { proveDocuments } from './engine/documents.mjs';
import { startEnvironment } from './engine/environment.mjs';
import { proveExamples } from './engine/examples.mjs';
import { proveLongText } from './engine/longText.mjs';
import { proveMcp } from './engine/mcp.mjs';
import { proveNodes } from './engine/nodes.mjs';
import { proveSecrets } from './engine/secrets.mjs';
import { proveStopping } from './engine/stopping.mjs';
import { proveTool } from './engine/tool.mjs';
import { proveTrigger } from './engine/trigger.mjs';
import { proveWebsites } from './engine/websites.mjs';
import { REAL_N8N } from './install.mjs';
import type { Topic } from './prove.mjs';
import { withStarted } from './withStarted.mjs';

/** What n8n's engine makes of the node, driven over REST and from the command line. */
export const engine: Topic = {
	name: 'engine',
	async proveAll(prove, tarball) {
		await withStarted(async (start) => await proveTrigger(prove, start, tarball));
		await withStarted(async (start) => {
			const userFolder = join(REAL_N8N, 'engine');
			// 'debug', so that a key that n8n's log could hold is there to be found.
			// 'filesystem' is the default; a proof of memory stands on it.
			const env = { N8N_LOG_LEVEL: 'debug', N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' };
			const environment = await startEnvironment(start, { userFolder, tarball, env });
			await proveCore(prove, environment);
			await proveNodes(prove, environment);
			await proveStopping(prove, environment);
			await proveTool(prove, environment);
			await proveMcp(prove, environment);
			await proveDocuments(prove, environment);
			await proveLongText(prove, environment);
			await proveWebsites(prove, environment);
			await proveExamples(prove, environment, userFolder);
			await proveCommandLine(prove, environment);
			// Last, because it searches what all the others have left behind.
			await proveSecrets(prove, environment, userFolder);
		});
	},
};
