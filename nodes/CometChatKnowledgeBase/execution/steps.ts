import { ended } from '../results/messages';
import type { Session } from './operation';
import type { Failed, Fields, Made } from '../results/itemResult';
import { failedBy, sentences } from '../results/itemResult';
import type { Effect, Reply } from '../requests/attemptResult';
import { effectOf as effectOfChange, isSuccess } from '../requests/attemptResult';
import type { Sending } from '../requests/retryPolicy';
import { isWorthRepeating, sendUntilAnswered } from '../requests/retryPolicy';
import type { Setback } from '../results/itemFailure';
import { Refused } from '../results/itemFailure';
import type { ServiceRequest } from '../requests/transport';
import type { Asker, Manner } from '../service/asker';

/** What sending takes of a session. */
export type Sender = Pick<
	Session,
	'send' | 'settings' | 'account' | 'gate' | 'clock' | 'finishingClock'
>;

/** The requests of one item, one after another. */
export class Steps implements Asker {
	private attempts = 0;

	private isRepeated = false;

	private readonly made: Made[] = [];

	private readonly left: Made[] = [];

	private isFinishing = false;

	constructor(private readonly session: Sender) {}

	async ask<Value>(
		request: ServiceRequest,
		read: (body: unknown) => Value | undefined,
		{ repeat = 'always', policy, isSecret = false }: Manner = {},
	): Promise<Value | Refused> {
		const { send, settings, account, gate, clock, finishingClock } = this.session;
		const valueOf = (reply: Reply) => (isSuccess(reply) ? read(reply.body) : undefined);
		const effectOf = (reply: Reply): Effect => {
			if (valueOf(reply) !== undefined) return 'applied';
			const effect = effectOfChange(reply);
			return effect === 'applied' ? 'unknown' : effect;
		};
		const sending = await sendUntilAnswered(
			async () => await send(request, settings.timeoutMs),
			policy ?? settings,
			gate,
			this.isFinishing ? finishingClock : clock,
			{
				effectOf,
				isWorthRepeating: (reply) =>
					isWorthRepeating(reply) && (repeat === 'always' || effectOf(reply) === 'not applied'),
			},
		);
		this.count(sending);
		const value = sending.reply && valueOf(sending.reply);
		const place = isSecret ? 'upload addresses' : 'elsewhere';
		return value ?? new Refused(ended(sending, account, place));
	}

	/** From here on the item goes to its end, although others fail; only the user stops it. */
	finish(): void {
		this.isFinishing = true;
	}

	/** Counts a request that went another way. */
	count({ attempts }: Pick<Sending, 'attempts'>): void {
		this.attempts = Math.max(this.attempts, attempts);
		this.isRepeated ||= attempts > 1;
	}

	/** Counts the requests that several items share as this item's own, too. */
	include({ attempts }: Steps): void {
		this.count({ attempts });
	}

	/** Notes what has arrived in the service. */
	note(made: Made): void {
		this.made.push(made);
	}

	/** Notes an entry without content that could not be taken away again. */
	noteLeft(entry: Made): void {
		this.left.push(entry);
	}

	done(json: Fields[]) {
		const { attempts, isRepeated, made, left } = this;
		return { kind: 'applied' as const, json, attempts, isRepeated, made, left };
	}

	/**
	 * @param meaning What has been done until now and what has not, as sentences.
	 * @param asked What the item asked for, and how far that came.
	 * @param goOn How to go on, where running the item again is not the way.
	 */
	failed(
		setback: Setback,
		effect: Failed['effect'],
		meaning: string,
		asked: Fields,
		goOn?: string,
	): Failed {
		const { settings } = this.session;
		const { attempts, isRepeated, made, left } = this;
		const circumstances = { asked, effect, meaning, goOn, attempts, isRepeated, made, left };
		if (setback instanceof Refused) {
			return failedBy(setback.ending, circumstances, settings);
		}
		const { what, remedy, more } = setback;
		const { again = '', ...rest } = more;
		const description = sentences(more.said ?? false, meaning, goOn ?? again, remedy);
		return {
			kind: 'failed',
			what,
			description,
			because: 'reply',
			...rest,
			asked,
			effect,
			attempts,
			isRepeated,
			made,
			left,
		};
	}
}
