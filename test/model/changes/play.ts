import axios from 'axios';

import { FROM_ITEM, KEY } from '../../node/fixture';
import type { Service } from '../../service/service';
import { AGENTS } from '../agents';
import { asSet } from '../options';
import type { Scenario } from './scenario';
import type { Course, Stage } from '../stage';

/** What came of a scenario. */
export interface Played extends Course<Scenario> {
	/** What an agent's knowledge base held before and holds now. */
	before(uid: string, sourceType: string): string[];
	after(uid: string, sourceType: string): string[];
}

export async function play(stage: Stage, scenario: Scenario): Promise<Played> {
	stage.begin(scenario);
	await stage.pass(fill(stage.service, scenario));
	const before = snapshot(stage.service);
	const course = await stage.perform(scenario, {
		items: scenario.items.map(({ agent, sourceType, files }) => ({
			agent,
			sourceType,
			...(files === undefined ? {} : { files }),
		})),
		parameters: {
			...FROM_ITEM,
			operation: scenario.operation,
			sourceType: '={{ $json.sourceType }}',
			options: asSet(scenario.options),
		},
	});
	return { ...course, before, after: snapshot(stage.service) };
}

async function fill({ baseUrl }: Service, { contents }: Scenario): Promise<void> {
	for (const { agent, sourceType, ids: uniqueIds } of contents) {
		await axios.patch(
			`${baseUrl}/ai-agents/agent-builder/agents/${agent}/knowledge-base/${sourceType}/add`,
			{ uniqueIds },
			{ headers: { apikey: KEY }, maxRedirects: 0 },
		);
	}
}

function snapshot(service: Service): (uid: string, sourceType: string) => string[] {
	const files = new Map(
		AGENTS.flatMap((uid) =>
			['uploads', 'text'].map((sourceType) => [
				`${uid}/${sourceType}`,
				service.files(uid, sourceType),
			]),
		),
	);
	return (uid, sourceType) => files.get(`${uid}/${sourceType}`) ?? [];
}
