import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startService, type RecordSeed, type Service } from '../../service/service.js';
import { KEYS } from '../account.mjs';
import { REAL_N8N } from '../install.mjs';
import { showProgress } from '../progress.mjs';
import type { Prove } from '../prove.mjs';
import { startN8n } from '../server.mjs';
import { SITES } from '../sites.mjs';
import type { Start } from '../withStarted.mjs';
import { readWorkflow } from '../workflows.mjs';
import { startChromium } from './chromium.mjs';
import { openEditor } from './editor.mjs';
import type { Film } from './film.mjs';
import type { TakePicture } from './pictures.mjs';

const USER_FOLDER = join(REAL_N8N, 'browser');

/** The use of the steps that the README and docs/ show. */
export interface Pictures {
	takePicture: TakePicture;
	film: Film;
}

/** One n8n, one simulation and one browser window for all promises of this topic. */
export interface Environment extends Pictures {
	/** An account with three agents, and a few files. */
	service: Service;
	page: Page;
	/** Imports a workflow file and opens it on the canvas; see `readWorkflow`. */
	open(name: string, folder?: string): Promise<void>;
}

/** @param servicePort The port in the picture of the credential, which another port would change. */
export async function startEnvironment(
	start: Start,
	tarball: string,
	pictures: Pictures,
	servicePort: number,
): Promise<Environment> {
	const service = await start(
		startService({
			...KEYS,
			...{ records: RECORDS, port: servicePort, sites: SITES },
			...{ answering: { ms: 500, says: () => [ANSWER] } },
		}),
	);
	rmSync(USER_FOLDER, { recursive: true, force: true });
	const n8n = await start(
		showProgress('Starting n8n for the browser', () =>
			startN8n({ userFolder: USER_FOLDER, tarball }),
		),
	);
	const browser = await startChromium();
	await start(Promise.resolve({ stop: () => browser.close() }));
	const page = await openEditor(browser, n8n);
	const open = async (name: string, folder?: string) => {
		const id = await n8n.rest.createWorkflow(readWorkflow(name, {}, folder));
		await page.goto(`/workflow/${id}`);
		await page.getByTestId('canvas-node').first().waitFor();
	};
	return { ...pictures, service, page, open };
}

/** Takes a picture of the page if a promise fails. */
export function withPictures(prove: Prove, page: Page): Prove {
	let count = 0;
	return async (promise, work) => {
		const path = join(USER_FOLDER, 'failed', `${++count}.png`);
		const picture = async (cause: unknown) => {
			await page.screenshot({ path });
			throw new Error(`The page as it was then: ${path}`, { cause });
		};
		await prove(promise, async () => await work().catch(picture));
	};
}

/** The answer of each agent to any question. */
export const ANSWER = 'On Saturdays we are open from 10 to 14.';

const RECORDS: RecordSeed[] = [
	{ sourceName: 'returns-2026.pdf' },
	{ sourceName: 'Opening hours', type: 'text-details' },
	{ sourceName: 'price-list.csv', status: 'indexing' },
	{
		sourceName: 'Terms and conditions of the summer sale in all shops, final.docx',
		status: 'failed',
	},
	{ sourceName: 'Holidays', type: 'text-details' },
];
