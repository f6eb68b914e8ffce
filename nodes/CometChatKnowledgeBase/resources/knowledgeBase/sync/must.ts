import type { ItemFailure } from '../../../results/apiError';
import { isItemFailure } from '../../../results/apiError';

/** The value; a failure that is handed on is thrown. */
export async function must<Value>(work: Promise<Value | ItemFailure>): Promise<Value> {
	const value = await work;
	if (isItemFailure(value)) throw value;
	return value;
}
