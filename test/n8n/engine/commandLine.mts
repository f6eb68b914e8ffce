import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACCOUNT, accountFor } from '../account.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { readWorkflow } from '../workflows.mjs';
import type { Environment } from './environment.mjs';

export async function proveCommandLine(prove: Prove, environment: Environment): Promise<void> {
	const { n8n, service, reset } = environment;

	await prove("n8n's command line: import a credential and a workflow, execute it", async () => {
		reset();
		// Not in n8n's own folder, which must hold the key nowhere else than encrypted.
		const folder = mkdtempSync(join(tmpdir(), 'n8n-import-'));
		try {
			const credential = { id: 'importedAccount', ...accountFor(service, 'Imported account') };
			const reference = `"id": null,\n\t\t\t\t\t"name": "${ACCOUNT}"`;
			const own = `"id": "${credential.id}", "name": "${credential.name}"`;
			const imported = readWorkflow('several-agents', { [reference]: own });
			const workflow = { id: 'importedWorkflow', ...imported };
			assertHolds(JSON.stringify(workflow).includes(credential.id), 'The file is set otherwise.');
			const [credentialFile, workflowFile] = [join(folder, 'c.json'), join(folder, 'w.json')];
			writeFileSync(credentialFile, JSON.stringify([credential]));
			writeFileSync(workflowFile, JSON.stringify(workflow));
			await n8n.command('import:credentials', `--input=${credentialFile}`);
			await n8n.command('import:workflow', `--input=${workflowFile}`);
			const printed = await n8n.command('execute', '--id=importedWorkflow');
			assertHolds(printed.includes('Execution was successful'), printed.slice(-2000));
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
		const held = service.agents().map(({ uid }) => service.files(uid, 'uploads').join());
		assertHolds(held.join(' ') === 'c,e p,r x,y', `The agents hold ${held.join(' ')}.`);
	});
}
