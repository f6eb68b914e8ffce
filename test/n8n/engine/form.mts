import { requiredText } from '../fields.mjs';
import type { RunningN8n } from '../server.mjs';
import { until } from '../until.mjs';

/** Fills in the form of a published workflow, like a browser: files into its first field. @returns The last page. */
export async function submitForm(
	{ baseUrl }: RunningN8n,
	path: string,
	files: Record<string, string>,
): Promise<string> {
	const form = `${baseUrl}/form/${path}`;
	// It exists some time after the workflow was published.
	await until('the form is there', 60_000, async () => (await fetch(form)).ok);
	const body = new FormData();
	for (const [name, text] of Object.entries(files)) body.append('field-0', new Blob([text]), name);
	const answer: unknown = await (await fetch(form, { method: 'POST', body })).json();
	const page = new URL(requiredText(answer, 'formWaitingUrl'));

	const status = new URL(page);
	status.pathname += '/n8n-execution-status';
	// While the workflow runs, n8n does not respond to a request for the page.
	await until('the form has its last page', 60_000, async () => {
		const found = await (await fetch(status)).text();
		return ['form-waiting', 'success'].includes(found);
	});
	const shown = await (await fetch(page)).text();
	// The script of the last page sends this, which ends the execution.
	await fetch(page, { method: 'POST' });
	return shown;
}
