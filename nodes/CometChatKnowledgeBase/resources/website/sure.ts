import type { ItemFailure } from '../../results/apiError';
import { isItemFailure } from '../../results/apiError';

export function sure<T>(value: T | ItemFailure): T {
	if (isItemFailure(value)) throw value;
	return value;
}
