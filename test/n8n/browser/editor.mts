import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { isDeepStrictEqual } from 'node:util';
import { OWNER } from '../rest.mjs';
import type { RunningN8n } from '../server.mjs';
import { until } from '../until.mjs';

/** The size of the window, in CSS pixels: a small laptop. */
export const WINDOW = { x: 0, y: 0, width: 1440, height: 810 };

/** Opens n8n's editor in a new browser context, and signs the owner in. */
export async function openEditor(browser: Browser, { baseUrl }: RunningN8n): Promise<Page> {
	const { width, height } = WINDOW;
	const page = await browser.newPage({
		baseURL: baseUrl,
		viewport: { width, height },
		colorScheme: 'light',
		locale: 'en-US',
	});
	// The first page of a new n8n takes minutes on a busy machine.
	page.setDefaultTimeout(180_000);
	await page.goto('/signin');
	await page.getByTestId('emailOrLdapLoginId').locator('input').fill(OWNER.email);
	await page.getByTestId('password').locator('input').fill(OWNER.password);
	await page.getByTestId('form-submit-button').click();
	await page.getByTestId('project-home-menu-item').waitFor();
	return page;
}

/** Closes n8n's own notices, which would cover other elements. */
export async function dismissToasts(page: Page): Promise<void> {
	// All at once within the page, because some close before the mouse reaches them.
	await page.evaluate(
		"document.querySelectorAll('.el-notification__closeBtn').forEach((close) => close.click())",
	);
	const toasts = page.locator('.el-notification');
	await until("n8n's notices are closed", 60_000, async () => (await toasts.count()) === 0);
}

/** Waits until an image is drawn. An image that can't be loaded has no size. */
export async function untilDrawn(image: Locator): Promise<void> {
	await until('the image is drawn', 60_000, async () => {
		const width = await image.evaluate((shown: object) =>
			Number(Reflect.get(shown, 'naturalWidth')),
		);
		return width > 0;
	});
}

/** Waits until the elements show these texts and no others. */
export async function untilShown(elements: Locator, expected: string[]): Promise<void> {
	await until(`shown are ${expected.join(' | ')}`, 60_000, async () => {
		const texts = await elements.allInnerTexts();
		return isDeepStrictEqual(
			texts.map((text) => text.trim().replace(/\n+/g, '\n')),
			expected,
		);
	});
}

/** Asserts that each element shows its full text: n8n would show an ellipsis. */
export async function assertInFull(elements: Locator): Promise<void> {
	const cutOff = await elements.evaluateAll((all: object[]) =>
		all
			.filter((one) => Reflect.get(one, 'scrollHeight') > Reflect.get(one, 'clientHeight') + 1)
			.map((one) => String(Reflect.get(one, 'innerText'))),
	);
	assert.deepEqual(cutOff, []);
}
