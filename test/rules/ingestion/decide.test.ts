import type { Namesakes } from '../../../nodes/CometChatKnowledgeBase/ingestion/decide';
import {
	decide,
	isYoung,
	newestWhole,
} from '../../../nodes/CometChatKnowledgeBase/ingestion/decide';

const STATUSES: Record<string, string> = { w: 'indexed', u: 'indexing', f: 'failed' };

/** `w`hole, `u`nfinished or `f`ailed; the second letter: `y`oung or `o`ld; behind it, what it says. */
const record = (id: string) => ({
	uniqueId: id,
	status: STATUSES[id.slice(0, 1)],
	createdAt: id.slice(1, 2) === 'y' ? 1000 : 0,
});
const records = (ids: string) => (ids === '' ? [] : ids.split(' ').map(record));

/** What an agent has, and what nobody has. */
const of = (attached: string, spare = '', more: Partial<Namesakes> = {}): Namesakes => {
	const both = { attached: records(attached), spare: records(spare) };
	return { ...both, isKnown: true, hasAgent: true, ...more };
};
const maybe = (attached: string) => of(attached, '', { isKnown: false });
const account = (attached: string) => of(attached, '', { hasAgent: false });

const judge = {
	saysSame: ({ uniqueId }: { uniqueId: string }) => uniqueId.endsWith('='),
	isYoung: (one: { uniqueId: string; createdAt?: unknown }) => one.createdAt === 1000,
};

const AS_BEFORE = 'upload';
test.each<[string, Parameters<typeof decide>[0], Namesakes, string]>([
	['Fail brings what is new', 'fail', of(''), AS_BEFORE],
	['Fail refuses what the agent has', 'fail', of('fo'), 'refuse isThere'],
	['Fail refuses what it may have', 'fail', maybe('wo'), 'refuse isThere'],
	['Fail refuses what nobody has', 'fail', of('', 'wo'), 'refuse isThere'],

	['Skip brings what is new', 'skip', of(''), AS_BEFORE],
	['Skip skips what the agent has', 'skip', of('wo', 'wo1'), 'skip wo'],
	['Skip refuses what it may have', 'skip', maybe('wo'), 'refuse isThere'],
	['but goes on with what says the same', 'skip', maybe('wo fo= wo1='), 'continue wo1='],
	['Skip goes on with what nobody has', 'skip', of('', 'uo wo'), 'continue wo'],
	['Skip goes on with what is on its way', 'skip', of('', 'uy wo'), 'continue uy'],
	['Skip brings it where that could not be read', 'skip', of('', 'uo fy fo'), AS_BEFORE],
	['Skip skips what the account has, where it goes to no agent', 'skip', account('fo'), 'skip fo'],

	['Replace brings what is new', 'replace', of(''), AS_BEFORE],
	['Replace takes all that the agent has for old', 'replace', of('wo1 uy fo'), 'upload: wo1 uy fo'],
	['Replace takes the only one that it may have', 'replace', maybe('wo'), 'upload: wo'],
	['Replace refuses several that it may have', 'replace', maybe('wo wo1'), 'refuse several'],
	['what nobody has is old', 'replaceAndDelete', of('wo', 'uo fo'), 'upload: wo uo fo'],
	['but for what may be on its way', 'replaceAndDelete', of('wo', 'uy wy fo'), 'upload: wo fo'],
	['so it is in the account', 'replaceAndDelete', account('wy uy uo'), 'upload: wy uo'],
	['what says the same is gone on with', 'replace', of('wo wo1=', 'uo'), 'continue wo1=: wo uo'],
	['also what nobody has', 'replaceAndDelete', of('wo', 'wy='), 'continue wy=: wo'],
	['but not what could not be read', 'replace', of('fo= uo='), 'upload: fo= uo='],
])('%s', (_, choice, there, done) => {
	const decision = decide(choice, there, judge);
	const old = 'old' in decision ? decision.old.map(({ uniqueId }) => uniqueId).join(' ') : '';
	const what = [
		decision.action,
		...('found' in decision && decision.found ? [decision.found.uniqueId] : []),
		...('reason' in decision ? [decision.reason] : []),
	].join(' ');
	expect(old === '' ? what : `${what}: ${old}`).toBe(done);
});

test('the newest whole one is the newest that can be answered from, in any order', () => {
	const made = (status: string, createdAt?: number) => ({ uniqueId: status, status, createdAt });
	const all = [made('indexed', 5), made('failed', 9), made('inSync', 7), made('indexing', 8)];
	expect(newestWhole(all)?.status).toBe('inSync');
	expect(newestWhole([made('failed', 9)])).toBeUndefined();
	// One that this run has made has no time yet.
	expect(newestWhole([...all, { uniqueId: 'now', status: 'indexed' }])?.uniqueId).toBe('now');
});

const CREATED_MS = Date.UTC(2026, 10, 21);

test.each([
	[CREATED_MS, 999, true],
	[CREATED_MS, 1000, false],
	// A service that counts seconds.
	[CREATED_MS / 1000, 999, true],
])('created at %i, within a second it is young after %i ms: %s', (createdAt, agoMs, young) => {
	expect(isYoung({ uniqueId: 'x', createdAt }, CREATED_MS + agoMs, 1000)).toBe(young);
});
