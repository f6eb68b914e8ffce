import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from '../values/userError';
import type { Option } from './field';

export { choiceField as choiceOption, numberField as numberOption } from './field';
export type { Option } from './field';

/** One of which each item has its own: read with the item, as `options.NAME`. */
export function perItemOption(property: INodeProperties): Option<unknown> {
	return { property, ifNotSet: property.default, read: (value) => value };
}

/** The menu of an operation, to find by name. */
export function optionsField(own: Array<Option<unknown>>): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: own
			.map(({ property }) => property)
			.sort((one, other) => (one.displayName < other.displayName ? -1 : 1)),
	};
}

/** What an option comes to; of one that the operation does not have, what it is by default. */
export type OptionValues = <Value>(option: Option<Value>) => Value;

/** Reads the collection 'Options' of an operation with these. */
export function readOptions(own: Array<Option<unknown>>, collection: unknown): OptionValues {
	const given = isRecord(collection) ? collection : {};
	const names = own.map(({ property }) => property.name);
	const valueOf = <Value>({ property: { name }, ifNotSet, read }: Option<Value>) => {
		const value = names.includes(name) ? given[name] : undefined;
		return value === undefined ? ifNotSet : read(value);
	};
	own.forEach(valueOf);
	return valueOf;
}
