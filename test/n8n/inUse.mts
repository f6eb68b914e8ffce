import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { REPOSITORY } from './install.mjs';
import { EXAMPLES, WORKFLOWS } from './workflows.mjs';

/**
 * Asserts that everything here is used, because unused proofs would go unnoticed: each topic is in a lane, each file is
 * imported or a script, each `prove…` is called, and each workflow is read.
 */
export function assertAllInUse(topics: string[]): void {
	const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.mts'))
		.map((file) => join(import.meta.dirname, file));
	const texts = [...files, join(REPOSITORY, 'package.json')].map((file) =>
		readFileSync(file, 'utf8'),
	);
	const all = texts.join('\n');
	const inLane = topics.map((name) => `${name}.mts`);
	const proofs = [...all.matchAll(/function (prove\w+)/g)].map(([, name = '']) => name);
	assert.deepEqual(
		[
			...readdirSync(join(import.meta.dirname, 'topics')).filter((file) => !inLane.includes(file)),
			...files.map((file) => basename(file, '.mts')).filter((name) => !all.includes(`/${name}.m`)),
			...proofs.filter((name) => all.split(new RegExp(`\\b${name}\\(`)).length < 3),
			...readdirSync(WORKFLOWS).filter((file) => {
				const name = file.replace(/(?:\.expected)?\.json$/, '');
				return !all.includes(`'${name}'`) && !existsSync(join(EXAMPLES, `${name}.json`));
			}),
		],
		[],
		'In no list',
	);
}
