import { chromium, selectors, type Browser } from 'playwright-core';
import { findProgram } from '../program.mjs';

/** Starts the Chromium of this machine, headless and with a fresh user data folder. */
export async function startChromium(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM ?? findProgram('chromium', 'chromium');
	// The attribute that n8n's editor uses.
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({
		executablePath,
		args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
		// Ctrl-C is handled by this process. The browser ends with it in any case.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
	});
}
