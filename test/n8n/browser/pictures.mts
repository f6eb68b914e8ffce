import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { REPOSITORY } from '../install.mjs';
import { dismissToasts } from './editor.mjs';

/** The shown part of the page, in CSS pixels. */
export interface Frame {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Takes a picture of the page, for the README and docs/. */
export type TakePicture = (page: Page, name: string, frame: Frame) => Promise<void>;

/** Writes no picture, for an execution that only checks promises. */
export const noPictures: TakePicture = async () => {};

const FOLDER = join(REPOSITORY, 'docs');
const WIDEST = 1200;
/** A small limit, because a page of the docs contains several pictures. */
const LARGEST_BYTES = 80_000;

/** n8n leaves the empty box of a tooltip in the corner of the page. */
const LEFT_BEHIND = '#cm-tooltip-container > div:empty { visibility: hidden; }';

/** Writes `docs/<name>.webp`, at most 1200 pixels wide. */
export const picturesIntoDocs: TakePicture = async (page, name, frame) => {
	await settle(page);
	const picture = await shoot(page, frame, Math.min(WIDEST, frame.width));
	writePicture(name, picture, LARGEST_BYTES);
};

/** Waits until nothing moves in the page, without n8n's notices. */
export async function settle(page: Page): Promise<void> {
	await page.addStyleTag({ content: LEFT_BEHIND });
	// After this time, animations have ended, and n8n's notices are shown.
	await page.waitForTimeout(1000);
	await dismissToasts(page);
}

/** Returns a WebP of this part of the page with a width in pixels. */
export async function shoot(page: Page, frame: Frame, width: number): Promise<Buffer> {
	const session = await page.context().newCDPSession(page);
	const clip = { ...frame, scale: width / frame.width };
	const { data } = await session.send('Page.captureScreenshot', {
		format: 'webp',
		quality: 80,
		clip,
	});
	await session.detach();
	return Buffer.from(data, 'base64');
}

export function writePicture(name: string, picture: Buffer, mostBytes: number): void {
	if (picture.length > mostBytes) {
		throw new Error(`The picture ${name} has ${picture.length} bytes, more than ${mostBytes}.`);
	}
	const file = join(FOLDER, `${name}.webp`);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, picture);
}
