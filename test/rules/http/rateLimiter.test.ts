import { RateLimiter } from '../../../nodes/CometChatKnowledgeBase/http/rateLimiter';

test('With a pace, requests start evenly spaced, also after a pause', () => {
	const rateLimiter = new RateLimiter(120);
	expect([rateLimiter.acquire(1000), rateLimiter.acquire(1000)]).toEqual([0, 120]);
	expect(rateLimiter.acquire(1120)).toBe(0);
	rateLimiter.pauseFor(5000, 1120);
	expect(rateLimiter.acquire(1240)).toBe(4880);
	expect([rateLimiter.acquire(6120), rateLimiter.acquire(6120)]).toEqual([0, 120]);
});

test('A pause is not shortened by a shorter one', () => {
	const rateLimiter = new RateLimiter();
	rateLimiter.pauseFor(7000, 0);
	rateLimiter.pauseFor(1000, 500);
	expect(rateLimiter.remainingPauseMs(500)).toBe(6500);
});
