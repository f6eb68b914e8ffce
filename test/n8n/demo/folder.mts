import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf, listAt, textAt, type Fields } from '../fields.mjs';
import { showProgress } from '../progress.mjs';
import { until } from '../until.mjs';
import { readExample } from '../workflows.mjs';

const EVERY_SECONDS = 10;

/** A folder that n8n may read, and the workflow that keeps an agent in step with it. */
export class Folder {
	static readonly AGENT = 'onboarding-guide';
	readonly path: string;

	/** @param home Of the user that runs n8n. */
	constructor(home: string) {
		this.path = join(home, '.n8n-files/manuals');
		mkdirSync(this.path, { recursive: true });
		for (const name of ['Canteen.md', 'Holidays.md', 'Parking.md'])
			this.write(name, 'First version.');
	}

	/** The example, every few seconds in place of every night. */
	workflow(): Fields {
		const example = readExample('keep-a-disk-folder-in-step-nightly', [Folder.AGENT], {
			'"fileSelector": ""': `"fileSelector": "${this.path}/*"`,
			'Every Night at Three': `Every ${EVERY_SECONDS} Seconds`,
		});
		const schedule = listAt(example, 'nodes').find((node) =>
			textAt(node, 'type').endsWith('.scheduleTrigger'),
		);
		const rule = { interval: [{ field: 'seconds', secondsInterval: EVERY_SECONDS }] };
		Object.assign(fieldsOf(schedule), { parameters: { rule } });
		return { ...example, name: 'Keep an agent in step with a folder on disk' };
	}

	/**
	 * New, changed and deleted files, each until the agent has it so.
	 *
	 * @param idOf The ID of what the agent has by a name.
	 */
	async change(idOf: (name: string) => string | undefined): Promise<void> {
		const follow = async (what: string, holds: () => boolean) =>
			await showProgress(what, async () => await until(what, 120_000, holds));
		await follow('Three files of the folder come to the agent', () =>
			['Canteen.md', 'Holidays.md', 'Parking.md'].every((name) => idOf(name) !== undefined),
		);
		const before = idOf('Canteen.md');
		this.write('Canteen.md', 'Second version, with a longer menu.');
		rmSync(join(this.path, 'Parking.md'));
		await follow('One that has changed is replaced', () => {
			return ![undefined, before].includes(idOf('Canteen.md'));
		});
		await follow('One that was deleted is taken out, after a second run without it', () => {
			return idOf('Parking.md') === undefined && idOf('Holidays.md') !== undefined;
		});
	}

	private write(name: string, text: string): void {
		writeFileSync(join(this.path, name), text);
	}
}
