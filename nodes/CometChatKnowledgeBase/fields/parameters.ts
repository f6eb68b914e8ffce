import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../text/json';
import { plainPath, plainValue } from './plainPath';

/** Reads a parameter for each item. */
export interface ParameterReader {
	isExpression: boolean;
	read(index: number): unknown;
}

/** Whether a typed parameter contains an expression, so that items may have different values. */
export function hasExpression(typed: unknown): boolean {
	if (typeof typed === 'string') return typed.startsWith('=');
	return typeof typed === 'object' && typed !== null && Object.values(typed).some(hasExpression);
}

/** Returns a parameter as the user typed it, with its expressions. */
export function typedParameter(context: IExecuteFunctions, name: string): unknown {
	return context.getNodeParameter(name, 0, '', { rawExpressions: true });
}

/** Makes a reader for each item. A parameter without an expression is read once for all items. */
export function parameterReader(context: IExecuteFunctions, name: string): ParameterReader {
	const typed = typedParameter(context, name);
	if (!hasExpression(typed)) return { isExpression: false, read: () => typed };
	return { isExpression: true, read: evaluator(context, name, typed) };
}

function evaluator(
	context: IExecuteFunctions,
	name: string,
	typed: unknown,
): ParameterReader['read'] {
	const evaluate = (index: number): unknown => context.getNodeParameter(name, index, '');
	const expression = isRecord(typed) ? typed.value : typed;
	const path = typeof expression === 'string' ? plainPath(expression) : undefined;
	if (path === undefined) return evaluate;
	const items = context.getInputData();
	return (index) => {
		const value = plainValue(items[index]?.json, path);
		if (value === undefined) return evaluate(index);
		return isRecord(typed) ? { ...typed, value } : value;
	};
}
