import { until } from '../http/time';
import { remedyIfEmpty } from './remedies';
import { nameWithId } from '../output/itemResult';
import { isReady } from '../api/documents';
import { firstPagesRequest, readSourcePages } from '../api/sourcePages';
import type { Failure } from '../text/failure';
import { isFailure, UserError } from '../text/failure';
import { quoted } from '../text/quoting';
import { TEXT, UPLOADS } from '../text/sourceTypes';
import type { Delivery, Finishing } from './delivery';
import { fail, keepOld, removesOldVersions } from './delivery';

/** One short attempt, because the request itself is repeated. */
const ONE_ATTEMPT = { maxAttempts: 1, maxWaitMs: 1000 };

/** The pauses between requests whose answer decides whether an old version is removed. */
const SURE_MS = [0, 1000, 2000, 4000, 8000, 15_000, 30_000];

/**
 * Fails a delivery whose new document has no text, if an old version may have text: otherwise, agents could not answer
 * from either. Without an answer, the old versions are kept.
 */
export async function refuseEmptyReplacements(
	run: Finishing,
	deliveries: readonly Delivery[],
): Promise<void> {
	const check = async (delivery: Delivery) => {
		const { uniqueId, old, agent } = delivery;
		const warning = await emptyWarning(run, delivery, uniqueId, SURE_MS);
		if (isFailure(warning)) return keepOld(delivery, NOT_CHECKED);
		delivery.hasText = warning === '';
		if (delivery.hasText) return;
		const used = old.filter(({ wasUsed }) => agent === undefined || wasUsed !== false);
		const checks = used.map(
			async (one) => await emptyWarning(run, delivery, one.uniqueId, SURE_MS),
		);
		const mayHaveText = (await Promise.all(checks)).some((one) => one === '' || isFailure(one));
		if (mayHaveText) fail(run, [delivery], withoutText(delivery));
		else warn(delivery, warning);
	};
	const replacing = deliveries.filter((one) => isFile(one) && removesOldVersions(one));
	await Promise.all(replacing.map(check));
}

/** Warns of new documents that are indexed and have no text, such as scans. */
export async function warnOfEmpty(run: Finishing, deliveries: readonly Delivery[]): Promise<void> {
	const unchecked = deliveries.filter(({ steps, hasText, failure, status, ...one }) => {
		const isOpen = steps.create === 'applied' && hasText === undefined && failure === undefined;
		return isOpen && (isReady(status) || one.isReadyNow === true) && isFile(one);
	});
	const check = async (delivery: Delivery) => {
		const warning = await emptyWarning(run, delivery, delivery.uniqueId, [0]);
		if (!isFailure(warning) && warning !== '') warn(delivery, warning);
	};
	await Promise.all(unchecked.map(check));
}

function warn(delivery: Delivery, warning: string): void {
	delivery.emptyWarning = warning;
	delivery.item.warn(warning);
}

function isFile({ sourceType }: Pick<Delivery, 'sourceType'>): boolean {
	return sourceType !== TEXT;
}

/** Returns the warning that a document has no text; empty if it has text. @returns A failure if CometChat doesn't say */
async function emptyWarning(
	run: Finishing,
	{ sourceType, name }: Delivery,
	uniqueId = '',
	pauses: readonly number[],
): Promise<string | Failure> {
	const request = firstPagesRequest(sourceType, uniqueId);
	const ask = async () => await run.finishing.call(request, readSourcePages, ONE_ATTEMPT);
	const answer = await until(run.finishing.clock, Infinity, pauses, ask);
	if (answer === undefined || isFailure(answer)) return answer ?? '';
	const { total, pages } = answer;
	const isWithoutText = pages.length > 0 ? !pages.some(hasText) : total === 0;
	if (!isWithoutText) return '';
	const where =
		total !== undefined && total > Math.max(pages.length, 1) ? 'on its first pages' : 'in it';
	return `CometChat indexed ${quoted(name)} and found no text ${where}. ${remedyIfEmpty(sourceType)}`;
}

/** Whether most of a page is readable: a wrong encoding or a missing character map results in other characters. */
function hasText({ text }: { text: string }): boolean {
	const shown = text.replace(/\s+/g, '').replace(/\(cid:\d+\)/g, '\uFFFD');
	const unreadable = shown.match(/[\uFFFD\p{C}]/gu) ?? [];
	return unreadable.length * 2 < [...shown].length;
}

function withoutText({ name, uniqueId = '', sourceType }: Delivery): UserError {
	const remedy =
		sourceType === UPLOADS
			? 'If the file is a scan, upload a searchable version (use OCR).'
			: "'Website: Get Pages' shows whether the pages were indexed.";
	return new UserError(
		`CometChat found no text in ${quoted(name)}, so the old version was not replaced`,
		`${remedy} Delete ${nameWithId({ name, uniqueId })} with 'Document: Delete'.`,
		{ cause: 'configuration-invalid' },
	);
}

const NOT_CHECKED =
	"Check the new version with 'Document: Get Content'. If it has text, remove or delete the old version. CometChat didn't report whether the new version contains text, so the old version was kept";
