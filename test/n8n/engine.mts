import type { Topic } from './prove.mjs';
import { proveAccount } from './engine/account.mjs';
import { proveCombining } from './engine/combining.mjs';
import { proveCommandLine } from './engine/commandLine.mjs';
import { proveDocuments } from './engine/documents.mjs';
import { proveExamples } from './engine/examples.mjs';
import { proveFailing } from './engine/failing.mjs';
import { proveNights } from './engine/nights.mjs';
import { provePacing } from './engine/pacing.mjs';
import { proveRunning } from './engine/running.mjs';
import { proveSecrets } from './engine/secrets.mjs';
import { proveSending } from './engine/sending.mjs';
import { startStage } from './engine/stage.mjs';
import { proveStopping } from './engine/stopping.mjs';
import { proveTool } from './engine/tool.mjs';

/** What n8n's engine makes of the node, driven over REST and from the command line. */
export const engine: Topic = {
	name: 'engine',
	async proveAll(prove, tarball) {
		const stage = await startStage(tarball);
		try {
			await proveSending(prove, stage);
			await proveFailing(prove, stage);
			await proveRunning(prove, stage);
			await proveCombining(prove, stage);
			await provePacing(prove, stage);
			await proveStopping(prove, stage);
			await proveAccount(prove, stage);
			await proveTool(prove, stage);
			await proveDocuments(prove, stage);
			await proveExamples(prove, stage);
			await proveNights(prove, stage);
			await proveCommandLine(prove, stage);
			// Last, because it searches what all the others have left behind.
			await proveSecrets(prove, stage);
		} finally {
			await stage.stop();
		}
	},
};
