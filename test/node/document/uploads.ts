import type { ServiceOptions } from '../../service/service';
import type { Run, TestFile } from '../engine';
import { freshService } from '../fixture';
import { agent, continuing, file, runFiles } from '../operations';

/** A stand-in, and what the tests of Document: Upload ask of it. */
export function freshUploads(options: Partial<ServiceOptions> = {}) {
	const service = freshService(options);
	const records = () => [...service().records()].reverse();
	return {
		service,
		/** The entries that CometChat has, oldest first. */
		names: () => records().map(({ sourceName }) => sourceName),
		ids: () => records().map(({ uniqueId }) => uniqueId),
		attached: (uid = 'support-bot') => service().files(uid, 'uploads'),
		/** The names of the files whose bytes came, in order. */
		uploaded: () =>
			service()
				.uploads()
				.map(({ fileNames }) => fileNames?.join()),
		/** One item with files of these names, in a run that goes on, unless `more` has others. */
		upload: async (names: string[], more: Parameters<typeof runFiles>[2] = {}): Promise<Run> =>
			await runFiles(service(), 'document.upload', {
				...continuing,
				files: [named(...names)],
				...more,
				parameters: more.parameters,
			}),
	};
}

export const TO_AGENT = { addToAgent: true, uid: agent('support-bot') };

/** What the hints of a run say. */
export const hinted = ({ hints }: Run) => hints.map(({ message }) => message).join();

/** Files in one item, by field. */
export const named = (...names: string[]) => inFields(names.map((name) => file(name)));

export function inFields(files: TestFile[]): Record<string, TestFile> {
	return Object.fromEntries(files.map((one, at) => [`file_${at}`, one]));
}

/** An item for each name, with a file. */
export const itemEach = (names: string[]) => names.map((name) => named(name));
