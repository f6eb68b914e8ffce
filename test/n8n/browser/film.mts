import type { Locator, Page } from 'playwright-core';
import { WINDOW } from './editor.mjs';
import { movingWebp, type Still } from './movingWebp.mjs';
import { settle, shoot, writePicture, type Frame } from './pictures.mjs';

/** Collects the steps of a moving picture. */
export interface Film {
	/** Takes a picture of the page as the next step, with a ring around `target`, and `around` in the centre. */
	step(page: Page, caption: string, target: Locator, around?: Locator): Promise<void>;
	/** Writes `docs/<name>.webp`. */
	end(name: string): void;
}

/** Writes no picture, for an execution that only checks promises. */
export const noFilm: Film = { step: async () => {}, end: () => {} };

/** A part of the window whose letters are readable on a phone. */
const PART = { width: 480, height: 360 };
const CAPTION_HEIGHT = 56;
/** The smallest shown space above the target. */
const ABOVE = 40;
const WIDTH = 800;
const HEIGHT = (WIDTH / PART.width) * PART.height;
const STEP_MS = 2500;
const LAST_STEP_MS = 7000;
const LARGEST_BYTES = 1_000_000;

export function startFilm(): Film {
	const shots: Buffer[] = [];
	return {
		async step(page, caption, target, around = target) {
			await settle(page);
			const box = await target.boundingBox();
			const middle = await around.boundingBox();
			if (box === null || middle === null) throw new Error(`Nothing is there for '${caption}'.`);
			const frame = partAround(middle);
			await page.evaluate(drawing(caption, box, frame));
			shots.push(await shoot(page, frame, WIDTH));
			await page.evaluate("document.querySelectorAll('.film').forEach((drawn) => drawn.remove())");
		},
		end(name) {
			const stills = shots.map((webp, index): Still => {
				return { webp, shownMs: index === shots.length - 1 ? LAST_STEP_MS : STEP_MS };
			});
			writePicture(name, movingWebp(WIDTH, HEIGHT, stills), LARGEST_BYTES);
		},
	};
}

/** Returns the part of the window around an element, or around its beginning; the caption is below it. */
function partAround({ x, y, width, height }: Frame): Frame {
	const before = (length: number, shown: number) => Math.max(0, shown - length) / 2;
	const aboveIt = ABOVE + before(height + 2 * ABOVE, PART.height - CAPTION_HEIGHT);
	return {
		x: within(x - before(width, PART.width), WINDOW.width - PART.width),
		y: within(y - aboveIt, WINDOW.height - PART.height),
		...PART,
	};
}

function within(first: number, last: number): number {
	return Math.round(Math.min(Math.max(first, 0), last));
}

/** Returns a script that draws a ring around the target, and the caption over the lowest part of the frame. */
function drawing(caption: string, target: Frame, frame: Frame): string {
	const gap = 4;
	const ring = [
		...at(target.x - gap, target.y - gap, target.width + 2 * gap, target.height + 2 * gap),
		'border:3px solid #6851ff;border-radius:8px',
	];
	const strip = [
		...at(frame.x, frame.y + frame.height - CAPTION_HEIGHT, frame.width, CAPTION_HEIGHT),
		'background:#2d2266;color:#fff;font:600 22px/1.1 sans-serif',
		'display:flex;align-items:center;justify-content:center;text-align:center',
	];
	return [ring, strip]
		.map((style, index) => {
			const text = JSON.stringify(index === 0 ? '' : caption);
			const fields = `{ className: 'film', textContent: ${text} }`;
			const made = `Object.assign(document.createElement('div'), ${fields})`;
			return `document.body.appendChild(${made}).style.cssText = ${JSON.stringify(style.join(';'))};`;
		})
		.join('');
}

/** Above everything, and without reacting to the mouse. */
function at(x: number, y: number, width: number, height: number): string[] {
	const place = `left:${x}px;top:${y}px;width:${width}px;height:${height}px`;
	return ['position:fixed;z-index:2147483647;box-sizing:border-box;pointer-events:none', place];
}
