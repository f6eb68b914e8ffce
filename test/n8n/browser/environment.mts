import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import {
	startService,
	type AgentSeed,
	type RecordSeed,
	type Service,
} from '../../service/service.js';
import { fieldsOf, readJson } from '../fields.mjs';
import { REAL_N8N } from '../install.mjs';
import type { Prove } from '../prove.mjs';
import { startN8n, type RunningN8n } from '../server.mjs';
import { startChromium } from './chromium.mjs';
import { openEditor } from './editor.mjs';
import type { TakePicture } from './pictures.mjs';

export const KEYS = {
	apiKey: '0b5e55ed0b5e55ed0b5e55ed0b5e55ed0b5e-rest',
	authKey: '0b5e55ed0b5e55ed0b5e55ed0b5e55ed0b5e-auth',
};

const USER_FOLDER = join(REAL_N8N, 'browser');

/** One n8n, one stand-in and one browser window for all promises of this topic. */
export interface Stage {
	n8n: RunningN8n;
	/** An account with several hundred agents, and a few files. */
	service: Service;
	page: Page;
	takePicture: TakePicture;
	/** Imports a workflow file; returns its ID. */
	importWorkflow(file: string): Promise<string>;
	stop(): Promise<void>;
}

/** @param servicePort Stands in the picture of the credential: any that is free would change it. */
export async function startStage(
	tarball: string,
	takePicture: TakePicture,
	servicePort: number,
): Promise<Stage> {
	const stops: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const each of stops.splice(0)) await each();
	};
	try {
		const browser = await startChromium();
		stops.unshift(() => browser.close());
		const service = await startService({
			...KEYS,
			agents: manyAgents(),
			records: RECORDS,
			port: servicePort,
		});
		stops.unshift(() => service.stop());
		rmSync(USER_FOLDER, { recursive: true, force: true });
		const n8n = await startN8n({ userFolder: USER_FOLDER, tarball });
		stops.unshift(() => n8n.stop());
		return {
			n8n,
			service,
			page: await openEditor(browser, n8n),
			takePicture,
			importWorkflow: (file) => n8n.rest.createWorkflow(fieldsOf(readJson(file))),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** A promise that does not hold leaves a picture of the page as it was then. */
export function withPictures(prove: Prove, page: Page): Prove {
	let count = 0;
	return async (promise, work) => {
		count += 1;
		const file = join(USER_FOLDER, 'failed', `${count}.png`);
		await prove(promise, async () => {
			try {
				await work();
			} catch (error) {
				mkdirSync(join(USER_FOLDER, 'failed'), { recursive: true });
				await page.screenshot({ path: file });
				const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
				throw new Error(`${text}\nThe page as it was then: ${file}`, { cause: error });
			}
		});
	};
}

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

const PLACES =
	'Amsterdam Athens Berlin Boston Chicago Dublin Geneva Hamburg Lisbon London Madrid Milan Montreal Oslo Paris Prague Tokyo Toronto Vienna Zurich';
const TASKS =
	'Accounts Bookings Careers Complaints Deliveries Discounts Events Invoices Products Returns Sales Support Tickets Travel Warranty';

/** The three agents of the demo, and 300 more: no multiple of a page of the list. */
function manyAgents(): AgentSeed[] {
	const named = (name: string) => ({ uid: name.toLowerCase().replaceAll(' ', '-'), name });
	return [
		...['Support Bot', 'Sales Assistant', 'Onboarding Guide'].map(named),
		...PLACES.split(' ').flatMap((place) =>
			TASKS.split(' ').map((task) => named(`${place} ${task}`)),
		),
	];
}
