import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Run } from '../../node/engine';
import { runNode } from '../../node/engine';
import { credentialFor } from '../../node/fixture';
import type { LogEntry } from '../../service/service';
import type { Environment } from '../environment';
import { hold } from '../environment';
import { rulesOf } from '../serviceRules';
import type { Story, Week } from './story';
import { CALM_WEEKS, calmWeek } from './story';
import type { Truth } from './truth';
import { truthOf } from './truth';
import { ELSEWHERE, found, sitesWithBarrier } from './world';

const OUTAGE_MS = 20_000;
const WEEK_MS = 7 * 24 * 60 * 60_000;

export interface Passed {
	story: Story;
	week: Week;
	/** The number of weeks without faults until this one; 0 in a week with faults. */
	calm: number;
	/** One execution, or two at the same time. */
	runs: Run[];
	log: LogEntry[];
	/** The states before the week, at each line of the log, and at the end. */
	truths: Truth[];
	stoppedAtMs?: number;
	endedAtMs: number;
	timersLeft: number;
	previous?: Passed;
}

/** Plays weeks one after another until one breaks a promise. */
export async function playWeeks<T>(
	environment: Environment,
	story: Story,
	judge: (passed: Passed) => T | undefined,
): Promise<T | undefined> {
	const { service } = environment;
	const variant = { ...story.variant, web: { ...story.variant.web, found } };
	environment.reset();
	environment.arrange({ variant });
	await environment.pass(hold(service, story.held));
	const calmWeeks = Array.from({ length: CALM_WEEKS }, () => calmWeek(story.variant));
	let executions = 0;
	let staticData: IDataObject = {};
	let previous: Passed | undefined;
	for (const [at, week] of [...story.troubled, ...calmWeeks].entries()) {
		const web = { ...variant.web, ...webOf(story, week) };
		environment.arrange({ ...week, variant: { ...variant, web } });
		const calm = Math.max(0, at + 1 - story.troubled.length);
		const passed = await playWeek(environment, { story, week, calm, previous }, async (stop) => {
			executions += 1;
			return await runNode({
				...workflowOf(story, week),
				credential: credentialFor(service),
				...{ mode: 'trigger', staticData, executionId: String(executions), stop },
			});
		});
		staticData = passed.runs.at(-1)?.staticData ?? staticData;
		const judged = judge(passed);
		if (judged !== undefined) return judged;
		previous = passed;
		await environment.pass(sleep(WEEK_MS));
	}
	return undefined;
}

/** Returns the websites of a week and the settings of crawls. Without another crawl, a week's websites stay. */
function webOf({ workflow, variant: { web } }: Story, week: Week) {
	const { crawling, sites: usual } = web ?? {};
	const isSecond = crawling?.secondScrape === 'second';
	const listedAs = week.redirectsCrawls && isSecond ? ELSEWHERE : undefined;
	const hasBarrier = week.showsBarrier && workflow.parameters.ifSiteExists === 'refresh';
	return {
		sites: hasBarrier ? sitesWithBarrier : usual,
		crawling: { ...crawling, breaksOff: week.breaksCrawlsOff, listedAs },
	};
}

async function playWeek(
	environment: Environment,
	given: Pick<Passed, 'story' | 'week' | 'calm' | 'previous'>,
	run: (stop: Promise<void>) => Promise<Run>,
): Promise<Passed> {
	const { service } = environment;
	const { week } = given;
	const truths = [truthOf(service)];
	const look = () => void truths.push(truthOf(service));
	const rules = rulesOf(week);
	const { result: runs, ...ended } = await environment.during(week, rules, look, async (stop) => {
		const { secondAfterMs, outage } = week;
		if (secondAfterMs !== undefined) {
			const second = sleep(secondAfterMs).then(async () => await run(stop));
			return await Promise.all([run(stop), second]);
		}
		const over = new AbortController();
		if (outage) void breakOff(service, outage, over.signal).catch(() => undefined);
		return [await run(stop).finally(() => over.abort())];
	});
	look();
	return { ...given, runs, log: [...service.log], truths, ...ended };
}

async function breakOff(
	service: Environment['service'],
	{ operation, afterMs }: NonNullable<Week['outage']>,
	over: AbortSignal,
): Promise<void> {
	await sleep(afterMs, over);
	service.script({ for: { operation }, status: 503, times: Infinity });
	await sleep(OUTAGE_MS, over);
	service.clearScript();
}

function workflowOf({ workflow }: Story, { onError, retryOnFail }: Week) {
	const { resource, operation, parameters, items } = workflow;
	return {
		items: items.map(({ json }) => json),
		files: items.map(({ files = {} }) => files),
		parameters: { resource, operation, ...parameters },
		onError,
		retryOnFail,
	};
}
