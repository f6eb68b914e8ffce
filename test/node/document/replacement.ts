import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RecordSeed, Service, ServiceOptions } from '../../service/service';
import type { Run } from '../engine';
import { add, freshService } from '../fixture';
import type { More } from '../operations';
import { errorOf, runFiles } from '../operations';
import { TO_AGENT } from './uploads';
import { inMemory } from '../knowledgeBase/folder';

/** The account's documents before a replacement, and the documents that 'support-bot' uses. */
export const RECORDS: RecordSeed[] = [
	{ sourceName: 'prices.pdf', uniqueId: 'old' },
	{ sourceName: 'prices.pdf', uniqueId: 'text', type: 'text-details' },
	{ sourceName: 'prices.docx', uniqueId: 'other' },
	{ sourceName: 'M\u00fcller.pdf', uniqueId: 'composed' },
	{ sourceName: 'Zu\u0308rich.pdf', uniqueId: 'decomposed' },
	{ sourceName: 'twice.pdf', uniqueId: 'two' },
	{ sourceName: 'twice.pdf', uniqueId: 'one', status: 'failed' },
	{ sourceName: 'theirs.pdf', uniqueId: 'theirs' },
];
export const HELD = ['old', 'other', 'composed', 'decomposed', 'two', 'one'];

export function freshAccount(options: Partial<ServiceOptions> = {}) {
	let watched: Service | undefined;
	/** The agent's documents at the time of each entry in the log. */
	const standings: string[][] = [];
	const service = freshService({
		records: RECORDS,
		indexing: { ms: 0 },
		onEntry: () => standings.push(watched?.files('support-bot', 'uploads') ?? []),
		...options,
	});
	beforeEach(async () => {
		watched = service();
		await add(service(), [{ agent: 'support-bot', files: HELD }]);
		service().clearLog();
		standings.length = 0;
	});
	const newest = () => service().records()[0]?.uniqueId ?? '';
	return {
		service,
		standings,
		newest,
		attached: (uid = 'support-bot') => service().files(uid, 'uploads'),
		recordIds: () =>
			service()
				.records()
				.map(({ uniqueId }) => uniqueId),
		give: async (uid: string, uniqueId: string, sourceType = 'uploads') => {
			await add(service(), [{ agent: uid, files: [uniqueId] }], { parameters: { sourceType } });
			service().clearLog();
		},
		/** Replaces and deletes with one item, which contains the new prices. `more` replaces the item. */
		replace: async (parameters: INodeParameters = {}, more: More = {}): Promise<Run> =>
			await runFiles(service(), 'document.upload', {
				files: [{ data: inMemory('prices.pdf') }],
				...more,
				parameters: { ...REPLACING, ...parameters },
			}),
	};
}

const REPLACING: INodeParameters = {
	...TO_AGENT,
	waitUntilIndexed: true,
	ifNameExists: 'replaceAndDelete',
};

export const of = (fileToReplace: unknown) => ({ options: { fileToReplace } }) as INodeParameters;

/** The parameters whose values come from an item's JSON. */
export const BY_ITEM: INodeParameters = {
	uid: { __rl: true, mode: 'id', value: '={{ $json.agent ?? "support-bot" }}' },
	...of('={{ $json.old ?? $binary.data.fileName }}'),
};

/** Makes items with a file each, from the differences to the usual item. */
export function itemsOf(items: Array<IDataObject & { brings: string }>) {
	return {
		items,
		files: items.map(({ brings }, at) => ({ data: inMemory(brings, `Version ${at}.`) })),
	};
}

/** Returns the result of an item in an execution that continues. */
export function jsonOf({ output }: Run, index = 0): IDataObject {
	return Object(errorOf({ output }, index) ?? output[index]?.json);
}
