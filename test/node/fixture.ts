import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LogEntry, Service, ServiceOptions } from '../service/service';
import { startService } from '../service/service';
import { Clock } from './clock';
import type { Run, Scenario } from './engine';
import { runNode } from './engine';

export const KEY = '0123456789abcdef'.repeat(3).slice(0, 40);
export const AUTH_KEY = 'fedcba9876543210'.repeat(3).slice(0, 40);

let clock: Clock | undefined;

/** The events in the simulations of the current test. */
const traffic = { underWay: 0, events: 0 };

/** Starts a simulation whose events the clock waits for. */
export async function openService(options: Partial<ServiceOptions> = {}): Promise<Service> {
	const onEntry = (entry: LogEntry) => {
		traffic.events += 1;
		traffic.underWay += entry.kind === 'arrived' ? 1 : -1;
		options.onEntry?.(entry);
	};
	// Not 0, because time stands still meanwhile, and each response should have its own time.
	const usual = { apiKey: KEY, authKey: AUTH_KEY, latencyMs: 1 };
	return await startService({ ...usual, ...options, onEntry });
}

/** Starts a simulation for each test of a file, with a clock that jumps over waits. */
export function freshService(options: Partial<ServiceOptions> = {}): () => Service {
	let service: Service | undefined;
	beforeEach(async () => {
		service = await openService(options);
		// Once, also for tests with several simulations.
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

/** The parameters of a usual item, whose fields contain the agent and the files. */
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

/** Returns the log as lines: `arrived support-bot a,b`, `answered support-bot 200`. */
export function linesOf(service: Service): string[] {
	return service.log.map(({ kind, uid, uniqueIds, status }) =>
		[kind, uid, kind === 'arrived' ? uniqueIds?.join() : status].join(' '),
	);
}
