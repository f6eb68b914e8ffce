import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Returns the path of a program in a Debian package. Without the program, there is no proof, so the error names the
 * package.
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
