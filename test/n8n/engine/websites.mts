import { isDeepStrictEqual } from 'node:util';
import type { Execution } from '../execution.mjs';
import { assertSucceeded } from '../expectation.mjs';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import type { Environment } from './environment.mjs';

/** A website on three days, in one workflow: crawled, its failed pages listed and sent again. */
export async function proveWebsites(
	prove: Prove,
	{ n8n, service, reset, run, importWorkflow }: Environment,
): Promise<void> {
	/** Runs it; what it has sent that changes something, and what its website's item says. */
	const day = async (ifSiteExists: string) => {
		service.clearLog();
		const id = await importWorkflow('website', {
			'"ifSiteExists": "refresh"': `"ifSiteExists": "${ifSiteExists}"`,
		});
		const execution = await n8n.rest.run(id);
		assertSucceeded(execution);
		const [item] = execution.items('Crawl');
		return { execution, said: item?.json ?? {}, sent: changes() };
	};
	const changes = () =>
		service.log.flatMap(({ kind, operation = '' }) =>
			kind === 'arrived' && CHANGES.includes(operation) ? [operation] : [],
		);
	const assertHeld = (uniqueId: unknown) => {
		const held = service.files('support-bot', 'website');
		assertHolds(isDeepStrictEqual(held, [uniqueId]), `The agent holds ${held.join()}.`);
		const there = service.websites().map((website) => website.uniqueId);
		assertHolds(isDeepStrictEqual(there, [uniqueId]), `CometChat has ${there.join()}.`);
	};
	const untilAllRead = async () =>
		await until('the page that failed has been read again', 10_000, async () => {
			const pages = service.websites().flatMap((website) => website.pages);
			return pages.length === 4 && pages.every(({ status }) => status === 'processed');
		});
	let first: unknown;

	await prove(
		'Crawl waits for the pages of a website and gives it to an agent; Get Pages lists the one that failed, and Retry Pages sends it again',
		async () => {
			reset();
			// An old website is only deleted where CometChat tells what agents have: a file shows that.
			assertSucceeded(await run('upload-to-agent'));
			const { execution, said, sent } = await day('refresh');
			first = said.uniqueId;
			assertSent(sent, ['crawl', 'processUrls', 'add', 'retryUrls']);
			assertSays(said, { action: 'crawled', addedToAgent: true, ...COUNTS });
			assertFailedPage(execution);
			assertHeld(first);
			await untilAllRead();
		},
	);

	await prove(
		'Refresh: of a second website, the agent gets the new one before it loses the old one, which is deleted',
		async () => {
			const { execution, said, sent } = await day('refresh');
			assertSent(sent, ['crawl', 'processUrls', 'add', 'remove', 'deleteWebsite', 'retryUrls']);
			assertSays(said, { action: 'refreshed', addedToAgent: true, ...COUNTS, oldId: first });
			assertHolds(said.uniqueId !== first, 'The old website has stayed.');
			assertFailedPage(execution);
			assertHeld(said.uniqueId);
			await untilAllRead();
			first = said.uniqueId;
		},
	);

	await prove('Skip: a website that is there is not crawled, and nothing is sent', async () => {
		const { execution, said, sent } = await day('skip');
		assertSent(sent, []);
		const all = { pagesFound: 4, pagesProcessed: 4, pagesFailed: 0 };
		assertSays(said, { action: 'unchanged', addedToAgent: true, ...all, uniqueId: first });
		const failed = execution.items('Failed Pages').length;
		assertHolds(failed === 0, `${failed} pages have failed.`);
		assertHeld(first);
	});
}

const CHANGES = ['crawl', 'processUrls', 'retryUrls', 'add', 'remove', 'deleteWebsite'];

/** As the website is: see `SITES`. */
const COUNTS = { pagesFound: 4, pagesProcessed: 3, pagesFailed: 1, pagesOpen: 0 };

function assertSent(sent: string[], expected: string[]): void {
	assertHolds(isDeepStrictEqual(sent, expected), `Sent: ${sent.join()}`);
}

function assertSays(said: object, expected: object): void {
	assertHolds(isDeepStrictEqual({ ...said, ...expected }, said), JSON.stringify(said));
}

/** It is listed, with what to do, and sent again; the website's item has a hint. */
function assertFailedPage(execution: Execution): void {
	const listed = execution.items('Failed Pages').map(({ json }) => `${json.status} ${json.url}`);
	const expected = ['failed https://docs.example.com/help/2'];
	assertHolds(isDeepStrictEqual(listed, expected), `Listed: ${listed.join()}`);
	const retried = execution.items('Retry Pages').map(({ json }) => json.retried);
	assertHolds(isDeepStrictEqual(retried, [1]), `Sent again: ${retried.join()}`);
	const hints = execution.hints('Crawl').join();
	assertHolds(hints.includes('1 of 4 pages'), `The hints: ${hints}`);
}
