import type { INodeProperties } from 'n8n-workflow';

import { readSwitch } from '../values/switches';
import { UserError, isRecord } from '../values/userError';

/** One entry of the menu 'Options': how n8n shows it, and how what the user made of it is read. */
export interface Option<Value> {
	property: INodeProperties;
	/** What someone gets who never opens Options. */
	ifNotSet: Value;
	read(value: unknown): Value;
}

interface NumberField extends INodeProperties {
	default: number;
	typeOptions: { minValue: number; maxValue: number };
}

/**
 * @param scale What a whole number of the field stands for.
 * @param menu Where it is found.
 */
export function numberOption(
	property: NumberField,
	{ scale = 1, menu = 'Options' } = {},
): Option<number> {
	const { displayName, default: byDefault, typeOptions } = property;
	const { minValue, maxValue } = typeOptions;
	const read = (value: unknown) => {
		const isNumber = typeof value === 'number' && Number.isInteger(value);
		if (isNumber && value >= minValue && value <= maxValue) return value * scale;
		throw new UserError(
			`'${displayName}' is not a whole number from ${minValue} to ${maxValue}`,
			`Change it under ${menu}; the default is ${byDefault}.`,
		);
	};
	return { property, ifNotSet: byDefault * scale, read };
}

interface SwitchField extends INodeProperties {
	default: boolean;
}

export function switchOption(property: SwitchField): Option<boolean> {
	const { displayName, default: ifNotSet } = property;
	return { property, ifNotSet, read: (value) => readSwitch(value, displayName, ifNotSet) };
}

/** One of which each item has its own: read with the item, as `options.NAME`. */
export function perItemOption(property: INodeProperties): Option<unknown> {
	return { property, ifNotSet: property.default, read: (value) => value };
}

interface ChoiceField<Value extends string> extends INodeProperties {
	default: Value;
	options: Array<{ name: string; value: Value; description?: string }>;
}

export function choiceOption<Value extends string>(property: ChoiceField<Value>): Option<Value> {
	const { displayName, default: ifNotSet, options: choices } = property;
	const read = (value: unknown) => {
		const found = choices.find((choice) => choice.value === value)?.value;
		if (found === undefined)
			throw new UserError(
				`'${displayName}' is not one of its choices`,
				`Pick ${choices.map(({ name }) => name).join(' or ')}.`,
			);
		return found;
	};
	return { property, ifNotSet, read };
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
