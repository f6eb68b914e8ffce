import { chromium, selectors, type Browser } from 'playwright-core';
import { findProgram } from '../program.mjs';

/** Starts the Chromium of this machine, headless and with a fresh user data folder. */
export async function startChromium(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM ?? findProgram('chromium', 'chromium');
	// As n8n's editor names its parts.
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({
		executablePath,
		args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
		// Ctrl-C is for whoever started this; the browser ends with the process in any case.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
	});
}
