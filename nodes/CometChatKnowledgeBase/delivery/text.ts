import { remedyIfEmpty } from './remedies';
import { nameWithId } from '../output/itemResult';
import { isReady } from '../api/documents';
import { firstPageRequest, readSourcePages } from '../api/sourcePages';
import { toResult, isFailure, UserError } from '../text/failure';
import { quoted } from '../text/quoting';
import { TEXT, UPLOADS } from '../text/sourceTypes';
import type { Delivery, Finishing } from './delivery';
import { fail, replaces } from './delivery';

/** One short attempt: a failed check must not hold up the item. */
const ONE_ATTEMPT = { maxAttempts: 1, maxWaitMs: 1000 };

/** More attempts where an old version is detached because of the answer. */
const TO_BE_SURE = { maxAttempts: 3, maxWaitMs: 10_000 };

/**
 * Fails deliveries whose new document has no text, if an old version may have some: agents could no longer answer from
 * either.
 */
export async function keepReadable(run: Finishing, deliveries: readonly Delivery[]): Promise<void> {
	const check = async (delivery: Delivery) => {
		const { uniqueId, retired } = delivery;
		const warning = await emptyWarning(run, delivery, uniqueId, TO_BE_SURE);
		delivery.hasText = warning === undefined;
		if (warning === undefined) return;
		const used = retired.filter(({ isNeverUsed }) => !isNeverUsed);
		const old = used.map(async (one) => {
			return await emptyWarning(run, delivery, one.uniqueId, TO_BE_SURE);
		});
		const hasReadable = (await Promise.all(old)).includes(undefined);
		if (hasReadable) fail(run, [delivery], withoutText(delivery));
		else warn(delivery, warning);
	};
	const replacing = deliveries.filter((one) => isFile(one) && replaces(one));
	await Promise.all(replacing.map(check));
}

/** Warns of new documents that are indexed and have no text, such as scans. */
export async function warnOfEmpty(run: Finishing, deliveries: readonly Delivery[]): Promise<void> {
	const unchecked = deliveries.filter(({ isCreated, hasText, failure, status, ...one }) => {
		const isOpen = isCreated && hasText === undefined && failure === undefined;
		return isOpen && (isReady(status) || one.isSettled === true) && isFile(one);
	});
	const check = async (delivery: Delivery) => {
		const warning = await emptyWarning(run, delivery, delivery.uniqueId, ONE_ATTEMPT);
		if (warning !== undefined) warn(delivery, warning);
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

/** The warning that a document has no text; undefined if it has text, or if CometChat does not say. */
async function emptyWarning(
	run: Finishing,
	{ sourceType, name }: Delivery,
	uniqueId = '',
	policy = ONE_ATTEMPT,
): Promise<string | undefined> {
	const request = firstPageRequest(sourceType, uniqueId);
	const answer = await toResult(run.finishing.call(request, readSourcePages, policy));
	if (isFailure(answer)) return undefined;
	const { total, pages } = answer;
	const [first] = pages;
	const isWithoutText = first ? first.text.trim() === '' : total === 0;
	if (!isWithoutText) return undefined;
	const where = total !== undefined && total > 1 ? `on the first of its ${total} pages` : 'in it';
	return `CometChat indexed ${quoted(name)} and found no text ${where}. ${remedyIfEmpty(sourceType)}`;
}

function withoutText({ name, uniqueId = '', sourceType }: Delivery): UserError {
	const remedy =
		sourceType === UPLOADS
			? 'If the file is a scan, upload a version with recognized text (OCR).'
			: "'Website: Get Pages' shows whether the pages were indexed.";
	return new UserError(
		`CometChat found no text in ${quoted(name)}, so the old version was not replaced`,
		`${remedy} Delete ${nameWithId({ name, uniqueId })} with 'Document: Delete'.`,
		{ cause: 'configuration-invalid' },
	);
}
