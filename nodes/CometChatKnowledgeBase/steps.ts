import type { Cause, Ending } from './explain';
import { ended } from './explain';
import type { Session } from './operation';
import type { Failed, Fields, Made } from './outcome';
import { failedBy, sentences } from './outcome';
import type { Effect, Reply } from './reply';
import { effectOf as effectOfChange, isSuccess } from './reply';
import type { Sending } from './retry';
import { isWorthRepeating, sendUntilAnswered } from './retry';
import type { ServiceRequest } from './transport';

/** Why an item can't go on to its next request. */
export type Setback = Refused | Stuck;

/** A request that ended without success. */
export class Refused {
	constructor(readonly ending: Ending) {}
}

/** Anything else that was found on the way, in words for a person. */
export class Stuck {
	constructor(
		/** One clause. */
		readonly what: string,
		readonly remedy: string,
		readonly more: {
			said?: string;
			status?: number;
			code?: string;
			cause?: Cause;
			/** 'run over' if it is only that the run has ended. */
			because?: Failed['because'];
			/** Whether what was last tried has been done; 'not applied' if left out. */
			effect?: Effect;
		} = {},
	) {}
}

/** Whether the step that did not succeed may have been carried out. */
export function mayBeDone(setback: Setback): boolean {
	const { effect } = setback instanceof Refused ? setback.ending : setback.more;
	return effect === 'unknown';
}

/**
 * Whether a request may be sent again when nobody knows whether it was carried out: `always`, if
 * that does no harm; `never`, if it would make a second thing of the same kind.
 */
export type Repeat = 'always' | 'never';

/** The requests of one item, one after another. */
export class Steps {
	private attempts = 0;

	private isRepeated = false;

	private readonly made: Made[] = [];

	constructor(
		private readonly session: Pick<Session, 'send' | 'settings' | 'account' | 'gate' | 'clock'>,
	) {}

	/** @param read The answer's value; undefined if it is not the answer that the service documents. */
	async ask<Value>(
		request: ServiceRequest,
		read: (body: unknown) => Value | undefined,
		repeat: Repeat = 'always',
	): Promise<Value | Refused> {
		const { send, settings, account, gate, clock } = this.session;
		const valueOf = (reply: Reply) => (isSuccess(reply) ? read(reply.body) : undefined);
		const effectOf = (reply: Reply): Effect => {
			if (valueOf(reply) !== undefined) return 'applied';
			const effect = effectOfChange(reply);
			return effect === 'applied' ? 'unknown' : effect;
		};
		const sending = await sendUntilAnswered(
			async () => await send(request, settings.timeoutMs),
			settings,
			gate,
			clock,
			{
				effectOf,
				isWorthRepeating: (reply) =>
					isWorthRepeating(reply) && (repeat === 'always' || effectOf(reply) === 'not applied'),
			},
		);
		this.count(sending);
		const value = sending.reply && valueOf(sending.reply);
		return value ?? new Refused(ended(sending, account, 'elsewhere'));
	}

	/** Counts a request that went another way. */
	count({ attempts }: Sending): void {
		this.attempts = Math.max(this.attempts, attempts);
		this.isRepeated ||= attempts > 1;
	}

	/** Notes what has arrived in the service. */
	note(made: Made): void {
		this.made.push(made);
	}

	done(json: Fields[]) {
		const { attempts, isRepeated, made } = this;
		return { kind: 'applied' as const, json, attempts, isRepeated, made };
	}

	/**
	 * @param meaning What has been done until now and what has not, as sentences.
	 * @param asked What the item asked for, and how far that came.
	 */
	failed(setback: Setback, effect: Failed['effect'], meaning: string, asked: Fields): Failed {
		const { settings } = this.session;
		const circumstances = {
			asked,
			effect,
			meaning,
			attempts: this.attempts,
			isRepeated: this.isRepeated,
			made: this.made,
		};
		if (setback instanceof Refused) {
			return failedBy(setback.ending, circumstances, settings);
		}
		const { what, remedy, more } = setback;
		const description = sentences(more.said ?? false, meaning, remedy);
		return { kind: 'failed', what, description, because: 'reply', ...more, ...circumstances };
	}
}
