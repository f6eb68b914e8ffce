import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Prove } from '../prove.mjs';
import { EXAMPLES, exampleNames } from '../workflows.mjs';
import type { Environment } from './environment.mjs';
import { settle, type Frame } from './pictures.mjs';

const MARGIN = 16;

/** Proves that notes are readable on n8n's canvas. A template, with a description next to it, gets a picture. */
export async function proveNotes(
	prove: Prove,
	{ page, open, takePicture }: Environment,
): Promise<void> {
	for (const name of exampleNames()) {
		const promise = `examples/${name}.json: notes show their texts in full, and nothing overlaps`;
		await prove(promise, async () => {
			await open(name, EXAMPLES);
			await settle(page);
			const frames = await assertReadable(page);
			const isTemplate = existsSync(join(EXAMPLES, `${name}.md`));
			if (isTemplate) await takePicture(page, name, around(frames));
		});
	}
}

/** Returns the frames of all nodes and notes. */
async function assertReadable(page: Page): Promise<Frame[]> {
	const parts = '[class*="_label_"], [class*="_subtitle_"]';
	const canvasNodes = page.getByTestId('canvas-node');
	const nodes = [...(await framesOf(canvasNodes)), ...(await framesOf(canvasNodes.locator(parts)))];
	const notes = await framesOf(page.getByTestId('sticky'));
	const texts = await framesOf(page.getByTestId('sticky').locator('h2, h3, p, li'));
	const cutOff = texts.filter((text) => !notes.some((note) => contains(note, text)));
	const covered = texts.filter((text) => nodes.some((node) => overlaps(node, text)));
	const halfOnNote = nodes.filter((node) =>
		notes.some((note) => overlaps(note, node) && !contains(note, node)),
	);
	const onAnother = notes.filter((note) =>
		notes.some((other) => other !== note && overlaps(note, other)),
	);
	assert.ok(texts.length > 0);
	assert.deepEqual(
		{ cutOff, covered, halfOnNote, onAnother },
		{ cutOff: [], covered: [], halfOnNote: [], onAnother: [] },
	);
	return [...nodes, ...notes];
}

async function framesOf(elements: Locator): Promise<Frame[]> {
	const all = await elements.all();
	const frames = await Promise.all(all.map(async (element) => await element.boundingBox()));
	return frames.flatMap((frame) => frame ?? []);
}

function contains(outer: Frame, inner: Frame): boolean {
	return (
		inner.x >= outer.x &&
		inner.y >= outer.y &&
		inner.x + inner.width <= outer.x + outer.width &&
		inner.y + inner.height <= outer.y + outer.height
	);
}

function overlaps(one: Frame, other: Frame): boolean {
	return (
		one.x < other.x + other.width &&
		other.x < one.x + one.width &&
		one.y < other.y + other.height &&
		other.y < one.y + one.height
	);
}

function around(frames: Frame[]): Frame {
	const x = Math.min(...frames.map((frame) => frame.x)) - MARGIN;
	const y = Math.min(...frames.map((frame) => frame.y)) - MARGIN;
	const right = Math.max(...frames.map((frame) => frame.x + frame.width)) + MARGIN;
	const bottom = Math.max(...frames.map((frame) => frame.y + frame.height)) + MARGIN;
	return { x, y, width: right - x, height: bottom - y };
}
