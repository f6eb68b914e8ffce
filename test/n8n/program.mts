import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The path of a program that a Debian package brings. Without it there is no proof, so it is an
 * error that names the package.
 *
 * @param folders Where the package puts it, if that is not on PATH.
 */
export function findProgram(name: string, debianPackage: string, folders: string[] = []): string {
	const onPath = (process.env.PATH ?? '').split(delimiter);
	const found = [...folders, ...onPath].map((folder) => join(folder, name)).find(existsSync);
	if (found !== undefined) return found;
	throw new Error(
		`This machine has no ${name}. On Debian it is in the package ${debianPackage}: ` +
			`run "apt-get install --no-install-recommends ${debianPackage}" as root and try again.`,
	);
}
