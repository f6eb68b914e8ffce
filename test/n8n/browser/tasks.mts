import { isDeepStrictEqual } from 'node:util';
import type { Service } from '../../service/service.js';
import { attach } from '../demo/account.mjs';
import type { Fields } from '../fields.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { isUnderWay } from '../rest.mjs';
import { until } from '../until.mjs';
import { closeNode, openNode } from './canvas.mjs';
import { countClicks } from './editor.mjs';
import type { Environment } from './environment.mjs';
import { executeStep, outputPanel } from './nodeView.mjs';

/** Something that somebody wants to get done. */
export interface Task {
	title: string;
	workflow: Fields;
	/** The names of what AGENT has before; left out: nothing. */
	given?: string[];
	turns: Turn[];
}

/** What somebody does next, and what must hold after that. */
export interface Turn {
	does: string;
	/** What comes before 'Execute step'. */
	fillIn?(): Promise<unknown>;
	/** In place of 'Execute step'. */
	run?(): Promise<unknown>;
	/** How often it has to be clicked. */
	clicks: number;
	/** How many files are sent to CometChat; left out: none. */
	uploads?: number;
	/** What the agents have then, as `held` says it; left out: what they had before. */
	has?: string[];
	/** Parts of what the output panel says then: its table, its notes, or its error. */
	says: string[];
}

export const AGENT = 'support-bot';

/** Goes through tasks in the editor. After each turn, what the agents have is beside what the screen says. */
export class TaskRun {
	private workflow = '';
	private has: string[] = [];
	/** The ID of the run that was waited for last. */
	private ended = 'none';

	constructor(
		private readonly prove: Prove,
		private readonly environment: Environment,
	) {}

	async go({ title, workflow, given = [], turns }: Task): Promise<void> {
		const { page, service, openThis, rest } = this.environment;
		service.reset();
		if (given.length > 0) await attach(service, AGENT, given);
		this.has = held(service);
		this.workflow = await openThis(workflow);
		const clicksSoFar = await countClicks(page);
		for (const turn of turns) {
			const { does, clicks } = turn;
			await this.prove(`${title}: ${does} (clicks: ${clicks})`, async () => {
				const before = await clicksSoFar();
				await this.take(turn);
				const took = (await clicksSoFar()) - before;
				assertHolds(took === clicks, `It took ${took} clicks.`);
			});
		}
		if (await page.getByTestId('ndv').isVisible()) await closeNode(page);
		// Its schedule would go on through whatever comes next.
		await rest.deactivate(this.workflow);
	}

	private async take({ fillIn, run, uploads = 0, has, says }: Turn): Promise<void> {
		const { page, service } = this.environment;
		service.clearLog();
		await fillIn?.();
		await (run?.() ?? this.untilRun(async () => await executeStep(page)));
		await this.untilSaid(says);
		this.has = has ?? this.has;
		const found = held(service);
		assertHolds(isDeepStrictEqual(found, this.has), `The agents have: ${found.join(', ')}.`);
		const sent = service.uploads().length;
		assertHolds(sent === uploads, `${sent} files were sent.`);
	}

	/** Does something that runs the workflow, until a run has begun and is over. */
	async untilRun(begin: () => Promise<void> = async () => {}): Promise<void> {
		const before = await this.newest();
		await begin();
		await until('the run is over', 60_000, async () => {
			const found = await this.newest();
			if (found === undefined || found.id === before?.id || isUnderWay(found)) return false;
			this.ended = found.id;
			return true;
		});
	}

	/** Runs the workflow from its beginning, and opens a node: alone, it would be given what was read before. */
	async runWorkflow(node: string): Promise<void> {
		const { page } = this.environment;
		if (await page.getByTestId('ndv').isVisible()) await closeNode(page);
		await this.untilRun(async () => await page.getByTestId('execute-workflow-button').click());
		await openNode(page, node);
	}

	/**
	 * Opens a node in the run of the published workflow that was waited for last, from the list of executions:
	 * its schedule goes on, and the next one may be over by now.
	 */
	async openInLastRun(node: string): Promise<void> {
		const { page } = this.environment;
		const id = this.ended;
		const executions = page.getByTestId('current-executions-list');
		if (!(await executions.isVisible())) await page.getByTestId('radio-button-executions').click();
		await executions.locator(`a[href*="/${id}"]`).click();
		await page.getByText(`ID#${id}`).waitFor();
		await openNode(page, node);
	}

	private async newest() {
		return (await this.environment.rest.executions(this.workflow))[0];
	}

	private async untilSaid(says: string[]): Promise<void> {
		let shown = '';
		const missing = () => says.filter((part) => !shown.includes(part));
		await until('the screen says it', 10_000, async () => {
			shown = await outputPanel(this.environment.page).innerText();
			return missing().length === 0;
		}).catch((error: unknown) => {
			throw new Error(`${missing().join(' | ')} is not in: ${shown}`, { cause: error });
		});
	}
}

/** The names of what all agents have, in alphabetical order: with '(old)' if nobody has sent it since, and the agent if it is not AGENT. */
function held(service: Service): string[] {
	const records = service.records();
	const nameOf = (uid: string, id: string) => {
		const { sourceName = id, type } = records.find(({ uniqueId }) => uniqueId === id) ?? {};
		const isOld = type === 'uploads' && service.stored(id) === undefined;
		return `${sourceName}${isOld ? ' (old)' : ''}${uid === AGENT ? '' : ` (${uid})`}`;
	};
	const of = (uid: string, sourceType: string) =>
		service.files(uid, sourceType).map((id) => nameOf(uid, id));
	return service
		.agents()
		.flatMap(({ uid }) => [...of(uid, 'uploads'), ...of(uid, 'text')])
		.sort();
}
