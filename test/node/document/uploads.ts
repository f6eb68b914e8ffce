import type { ServiceOptions } from '../../service/service';
import type { Run, TestFile } from '../engine';
import { freshService } from '../fixture';
import type { More } from '../operations';
import { agent, file, prepareRun } from '../operations';

export function freshUploads(options: Partial<ServiceOptions> = {}) {
	const service = freshService(options);
	const upload = prepareRun(service, 'document.upload');
	const records = () => [...service().records()].reverse();
	return {
		service,
		names: () => records().map(({ sourceName }) => sourceName),
		ids: () => records().map(({ uniqueId }) => uniqueId),
		attached: (uid = 'support-bot') => service().files(uid, 'uploads'),
		/** Returns the names of the files whose bytes arrived, in order. */
		uploaded: () =>
			service()
				.uploads()
				.map(({ fileNames }) => fileNames?.join()),
		/** Uploads files with one item, which fails alone. `more` replaces the item. */
		upload: async (names: string[], more: More = {}): Promise<Run> =>
			await upload(more.parameters, { files: [named(...names)], ...more }),
	};
}

export const TO_AGENT = { addToAgent: true, uid: agent('support-bot') };

export const hinted = ({ hints }: Run) => hints.map(({ message }) => message).join();

export const named = (...names: string[]) => inFields(names.map((name) => file(name)));

export function inFields(files: TestFile[]): Record<string, TestFile> {
	return Object.fromEntries(files.map((one, at) => [`file_${at}`, one]));
}

export const itemEach = (names: string[]) => names.map((name) => named(name));
