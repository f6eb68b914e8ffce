import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Fields } from '../output/itemResult';
import { UserError } from '../text/failure';
import { isRecord } from '../text/json';
import { quotedValue } from '../text/quoting';
import { foundNothing, isNothing, readText } from '../text/text';

/** The item that fields are read of. */
export interface InputItem {
	context: IExecuteFunctions;
	/** Its place among the input items. */
	index: number;
	/** What a field or a menu comes to, by its expressions or as it was typed. */
	value(name: string): unknown;
	/** What an entry of 'Options' comes to. */
	option: OptionValues;
}

/** A field: how n8n shows it, and how its value is read. */
export interface Field<T> {
	property: INodeProperties;
	/** @throws UserError */
	read(value: unknown, item: InputItem): T;
	/** What a failed item says of it. Left out: nothing. */
	asked?(value: T): Fields;
}

/** Several fields that come to one value. */
export interface FieldGroup<T> {
	properties: INodeProperties[];
	/** Entries of the menu 'Options' that belong to them. */
	options?: Array<Option<unknown>>;
	/** @throws UserError */
	read(item: InputItem): T | Promise<T>;
	asked?(value: T): Fields;
}

export type AnyField<T> = Field<T> | FieldGroup<T>;

/** What fields come to, by the same names. */
export type ValuesOf<Fields> = {
	[Name in keyof Fields]: Fields[Name] extends AnyField<infer T> ? T : never;
};

/** The fields of an operation, by what they come to. */
export type FieldsOf<Task> = { [Name in keyof Task]: AnyField<Task[Name]> };

/** An entry of the menu 'Options', or of another collection. */
export interface Option<T> extends Field<T> {
	/** What someone gets who never adds it. */
	ifNotSet: T;
	/** Whether it applies to the whole execution, and items with different values are refused. Otherwise each item has its own. */
	isForExecution?: boolean;
	read(value: unknown): T;
}

/** The same option, which applies to the whole execution. */
export function forExecution<T>(option: Option<T>): Option<T> {
	return { ...option, isForExecution: true };
}

/** What is only read by the user. */
export function notice(name: string, displayName: string): FieldGroup<undefined> {
	const property: INodeProperties = { displayName, name, type: 'notice', default: '' };
	return { properties: [property], read: () => undefined };
}

/** On or off. */
export function switchField(property: INodeProperties & { default: boolean }): Option<boolean> {
	const { displayName, default: ifNotSet } = property;
	return { property, ifNotSet, read: (value) => readSwitch(value, displayName, ifNotSet) };
}

/** Reads a switch, which may not be set. An expression may give anything. */
export function readSwitch(value: unknown, label: string, byDefault = false): boolean {
	if (typeof value === 'boolean') return value;
	if (value === undefined || value === '') return byDefault;
	const written = String(value).trim().toLowerCase();
	if (written === 'true' || written === 'false') return written === 'true';
	throw new UserError(
		`'${label}' is ${quotedValue(value)}, which is neither true nor false`,
		`Turn '${label}' on or off, or use an expression that returns true or false.`,
	);
}

/** One of several; what is set by default if it is empty. */
export function choiceField<Value extends string>(
	property: Omit<INodeProperties, 'options'> & {
		default: Value;
		options: Array<{ name: string; value: Value; description?: string }>;
	},
): Option<Value> {
	const { displayName, default: ifNotSet, options: choices } = property;
	const read = (value: unknown) => {
		if (value === '' || value === undefined) return ifNotSet;
		const found = choices.find((choice) => choice.value === value);
		if (found !== undefined) return found.value;
		const names = choices.map(({ name }) => name).join(' or ');
		const title = `'${displayName}' has the unknown value ${quotedValue(value)}`;
		throw new UserError(title, `Choose ${names}.`);
	};
	return { property, ifNotSet, read };
}

/**
 * A whole number.
 *
 * @param scale What one of it stands for.
 * @param menu Where it is found.
 */
export function numberField(
	property: INodeProperties & {
		default: number;
		typeOptions: { minValue: number; maxValue: number };
	},
	{ scale = 1, menu = 'Options' } = {},
): Option<number> {
	const { displayName, default: byDefault, typeOptions } = property;
	const { minValue, maxValue } = typeOptions;
	const read = (value: unknown) => {
		if (value === '' || value === undefined) return byDefault * scale;
		const number = wholeNumber(value);
		if (number !== undefined && number >= minValue && number <= maxValue) return number * scale;
		throw new UserError(
			`'${displayName}' is ${quotedValue(value)}, not a whole number from ${minValue} to ${maxValue}`,
			`Change '${displayName}' under ${menu}. The default is ${byDefault}.`,
		);
	};
	return { property, ifNotSet: byDefault * scale, read };
}

/** A whole number, also as text from a form or a model. */
export function wholeNumber(value: unknown): number | undefined {
	const isWritten = typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value);
	const number = isWritten ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}

const ENTER_TEXT = 'Enter text or a number, or use an expression that returns text or a number.';

const NOTHING_FOUND = 'Check the expression against the data of this item, or remove the field.';

/** In characters, and what to do with a longer one. */
interface Length {
	longest?: number;
	ifLonger?: string;
}

/** What nobody can see is no content, such as a zero-width space alone. */
function isEmpty(value: unknown): boolean {
	const isBlank = typeof value === 'string' && /^[\s\p{Cf}]*$/u.test(value);
	return value === undefined || value === null || isBlank;
}

/** A text or a number as it was given; empty if it has no content. */
export function textField(
	property: INodeProperties,
	{ longest = Infinity, ifLonger = `Enter at most ${longest} characters.` }: Length = {},
): Field<string> {
	const label = `'${property.displayName}'`;
	const read = (value: unknown) => {
		const text = readText(value, label, ENTER_TEXT);
		if (isEmpty(text)) return '';
		if (isNothing(text)) throw foundNothing(label, text);
		if (text.length <= longest) return text;
		const what = `${label} has ${text.length} characters, more than CometChat accepts`;
		throw new UserError(what, ifLonger);
	};
	return { property, read };
}

/** The same field, which has to have content. */
export function needed<T>(field: Field<T>): Field<T> {
	const property = { ...field.property, required: true };
	const read = (value: unknown, item: InputItem) => {
		if (!isEmpty(value)) return field.read(value, item);
		throw new UserError(`'${property.displayName}' is empty`, ENTER_TEXT);
	};
	return { ...field, property, read };
}

/**
 * A menu from which fields are added, in the order in which n8n shows them. What is not added is undefined.
 *
 * @param ifEmpty What to do about a field that was added and has no content, which is refused. Left out: it counts as
 *   not added.
 */
export function collectionField<T>(
	property: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
	fields: { [Name in keyof T]: Field<T[Name]> },
	ifEmpty?: string,
): FieldGroup<Partial<T>>;
export function collectionField(
	property: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
	fields: Record<string, Field<unknown>>,
	ifEmpty?: string,
): FieldGroup<Record<string, unknown>> {
	const options = Object.values(fields).map((field) => field.property);
	return {
		properties: [{ ...property, type: 'collection', default: {}, options }],
		read: (item) => {
			const collection = item.value(property.name);
			const added = isRecord(collection) ? collection : {};
			const found: Record<string, unknown> = {};
			for (const [key, field] of Object.entries(fields)) {
				const { name, displayName } = field.property;
				if (!(name in added)) continue;
				const value = added[name];
				const isNothing = value === undefined || value === null;
				refuseNothing(field.property, value, ifEmpty ?? NOTHING_FOUND);
				if (!isEmpty(value)) found[key] = field.read(value, item);
				else if (isNothing || ifEmpty !== undefined)
					throw new UserError(`'${displayName}' is empty`, ifEmpty ?? NOTHING_FOUND);
			}
			return found;
		},
	};
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

/** An expression for a switch or a choice that gives nothing may not count as another default. @throws UserError */
export function refuseNothing(
	property: INodeProperties | undefined,
	value: unknown,
	hint: string,
): void {
	const isChoice = property?.type === 'options' || property?.type === 'boolean';
	if (isChoice && property.default !== '' && isEmpty(value))
		throw new UserError(`'${property.displayName}' is empty`, hint);
}

const NOTHING_GIVEN = 'Correct the expression, or remove the field from Options.';

/** What an option comes to; of one that the operation does not have, what it is by default. */
export type OptionValues = <Value>(option: Option<Value>) => Value;

/** The entries that were added to a menu, by name, each with a function that reads its value. */
type Entries = ReadonlyMap<string, () => unknown>;

/**
 * The entries of a menu with these. An entry whose expression gives nothing is refused when it is read: its default may
 * be what it was added against.
 */
export function optionValues(own: Array<Option<unknown>>, added: Entries): OptionValues {
	const names = own.map(({ property }) => property.name);
	return ({ property, ifNotSet, read }) => {
		const { name } = property;
		const readEntry = added.get(name);
		if (!names.includes(name) || readEntry === undefined) return ifNotSet;
		const value = readEntry();
		if (value === undefined)
			throw new UserError(`'${property.displayName}' is empty`, NOTHING_GIVEN);
		refuseNothing(property, value, NOTHING_GIVEN);
		return read(value);
	};
}

/** The same of a menu whose values are known, all of which are read at once. @throws UserError */
export function readOptions(own: Array<Option<unknown>>, menu: unknown): OptionValues {
	const entries = Object.entries(isRecord(menu) ? menu : {});
	const valueOf = optionValues(own, new Map(entries.map(([name, value]) => [name, () => value])));
	own.forEach(valueOf);
	return valueOf;
}
