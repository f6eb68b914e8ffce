import { requiredText } from '../fields.mjs';
import type { RunningN8n } from '../server.mjs';
import { until } from '../until.mjs';

/**
 * Fills in the form of a published workflow at its real address, as a browser does: files into its
 * first field.
 *
 * @param path Of the form: the `webhookId` of its trigger.
 * @param files By name.
 * @returns The page that is shown in the end.
 */
export async function submitForm(
	{ baseUrl }: RunningN8n,
	path: string,
	files: Record<string, string>,
): Promise<string> {
	const form = `${baseUrl}/form/${path}`;
	// It is there some time after the workflow has been published.
	await until('the form is there', 60_000, async () => (await fetch(form)).ok);
	const body = new FormData();
	for (const [name, text] of Object.entries(files)) body.append('field-0', new Blob([text]), name);
	const answer: unknown = await (await fetch(form, { method: 'POST', body })).json();
	const page = new URL(requiredText(answer, 'formWaitingUrl'));

	const status = new URL(page);
	status.pathname += '/n8n-execution-status';
	// Asked for the page while the workflow runs, n8n leaves the question without an answer.
	await until('the form has its last page', 60_000, async () => {
		const found = await (await fetch(status)).text();
		return ['form-waiting', 'success'].includes(found);
	});
	const shown = await (await fetch(page)).text();
	// The script of the last page tells n8n so; the execution ends with that.
	await fetch(page, { method: 'POST' });
	return shown;
}
