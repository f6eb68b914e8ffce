import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from '../../service/service.js';
import { fieldsOf, listAt, textAt, type Fields } from '../fields.mjs';
import { showProgress } from '../progress.mjs';
import { until } from '../until.mjs';
import { readExample } from '../workflows.mjs';
import { namesAt } from './account.mjs';

const SECONDS = 10;

/** A folder that n8n may read, and the workflow that keeps an agent in step with it. */
export class Folder {
	readonly path: string;

	/** @param home Of the user that runs n8n. */
	constructor(
		home: string,
		private readonly agent = 'onboarding-guide',
	) {
		this.path = join(home, '.n8n-files/manuals');
		mkdirSync(this.path, { recursive: true });
		for (const name of ['Canteen', 'Holidays', 'Parking'])
			this.write(name, `${name}: first version.`);
	}

	/** The example, every few seconds in place of every night. */
	workflow(): Fields {
		const example = readExample('keep-a-disk-folder-in-step-nightly', [this.agent], {
			'"fileSelector": ""': `"fileSelector": "${this.path}/*"`,
		});
		const schedule = listAt(example, 'nodes').find((node) =>
			textAt(node, 'type').endsWith('.scheduleTrigger'),
		);
		const rule = { interval: [{ field: 'seconds', secondsInterval: SECONDS }] };
		Object.assign(fieldsOf(schedule), {
			name: `Every ${SECONDS} Seconds`,
			parameters: { rule },
		});
		const { 'Every Night at Three': begin, ...connections } = fieldsOf(example.connections);
		return {
			...example,
			name: `Keep an agent in step with a folder on disk, every ${SECONDS} seconds`,
			connections: { ...connections, [`Every ${SECONDS} Seconds`]: begin },
		};
	}

	/** New, changed and deleted files, each until the agent has it so. */
	async change(service: Service): Promise<void> {
		const has = (name: string) => namesAt(service, this.agent).includes(`${name}.md`);
		const idOf = (name: string) =>
			service.records().find(({ sourceName }) => sourceName === `${name}.md`)?.uniqueId;
		await this.follow('Three files of the folder come to the agent', () =>
			['Canteen', 'Holidays', 'Parking'].every(has),
		);
		const before = idOf('Canteen');
		this.write('Canteen', 'Canteen: second version, with a longer menu.');
		rmSync(join(this.path, 'Parking.md'));
		await this.follow('One that has changed is replaced', () => {
			return has('Canteen') && idOf('Canteen') !== before;
		});
		await this.follow('One that was deleted is taken out, after a second run without it', () => {
			return !has('Parking') && has('Holidays');
		});
	}

	private async follow(what: string, holds: () => boolean): Promise<void> {
		await showProgress(what, async () => await until(what, 120_000, holds));
	}

	write(name: string, text: string): void {
		writeFileSync(join(this.path, `${name}.md`), `# ${name}\n\n${text}\n`);
	}
}
