import { readdirSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** The files of a folder and those below it, sorted, by their paths in the repository. */
export function filesIn(folder: string, end: string): string[] {
	return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(end))
		.map((file) => path.posix.join(folder, file))
		.sort();
}

/** What is published, before it is compiled. */
export const PRODUCT_FILES = [...filesIn('credentials', '.ts'), ...filesIn('nodes', '.ts')];
