import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LogEntry, Service, ServiceOptions } from '../service/service';
import { startService } from '../service/service';
import { Clock } from './clock';
import type { Run, Scenario } from './engine';
import { runNode } from './engine';

export const KEY = '0123456789abcdef'.repeat(3).slice(0, 40);
export const AUTH_KEY = 'fedcba9876543210'.repeat(3).slice(0, 40);

let clock: Clock | undefined;

/** What has happened in the stand-ins of the test that runs. */
const traffic = { underWay: 0, events: 0 };

/** As `startService`, for a test: the clock waits for what goes on in it. */
export async function openService(options: Partial<ServiceOptions> = {}): Promise<Service> {
	const onEntry = (entry: LogEntry) => {
		traffic.events += 1;
		traffic.underWay += entry.kind === 'arrived' ? 1 : -1;
		options.onEntry?.(entry);
	};
	// Never at once: time stands still meanwhile, and each answer is to have a moment of its own.
	const usual = { apiKey: KEY, authKey: AUTH_KEY, latencyMs: 1 };
	return await startService({ ...usual, ...options, onEntry });
}

/** A stand-in for the length of each test of a file, in a time that jumps over each wait. */
export function freshService(options: Partial<ServiceOptions> = {}): () => Service {
	let service: Service | undefined;
	beforeEach(async () => {
		service = await openService(options);
		// Once, however many stand-ins a test has.
		if (clock !== undefined) return;
		Object.assign(traffic, { underWay: 0, events: 0 });
		clock = new Clock();
		void clock.run(() => traffic);
	});
	afterEach(() => {
		clock?.stop();
		clock = undefined;
	});
	afterEach(async () => await service?.stop());
	return () => {
		if (service === undefined) throw new Error('The stand-in runs only during a test');
		return service;
	};
}

export function credentialFor(service: Service, apiKey = KEY) {
	return { region: 'custom', appId: '', baseUrl: service.baseUrl, apiKey };
}

/** As a user sets the node up: agent, source type and files come from fields of the item. */
export const FROM_ITEM: INodeParameters = {
	resource: 'knowledgeBase',
	operation: 'add',
	uid: { __rl: true, mode: 'id', value: '={{ $json.agent }}' },
	sourceType: 'uploads',
	fileIds: '={{ $json.files }}',
};

export async function add(
	service: Service,
	items: IDataObject[],
	more: Partial<Scenario> & { options?: INodeParameters } = {},
): Promise<Run> {
	const { options = {}, parameters = {}, ...scenario } = more;
	return await runNode({
		items,
		credential: credentialFor(service),
		...scenario,
		parameters: { ...FROM_ITEM, options, ...parameters },
	});
}

/** The log as lines: `arrived support-bot a,b`, `answered support-bot 200`. */
export function linesOf(service: Service): string[] {
	return service.log.map(({ kind, uid, uniqueIds, status }) =>
		[kind, uid, kind === 'arrived' ? uniqueIds?.join() : status].join(' '),
	);
}
