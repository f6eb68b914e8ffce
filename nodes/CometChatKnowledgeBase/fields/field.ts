import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Fields } from '../output/itemResult';
import { UserError } from '../text/failure';
import { isRecord } from '../text/json';
import { quotedValue } from '../text/quoting';
import { foundNothing, isNothing, readText } from '../text/text';

/** The item whose fields are read. */
export interface InputItem {
	context: IExecuteFunctions;
	/** The index of the input item. */
	index: number;
	/** Returns the value of a field or a menu, with evaluated expressions. */
	value(name: string): unknown;
	/** Returns the value of an entry of 'Options'. */
	option: OptionValues;
}

/** A field: its definition for n8n, and its reader. */
export interface Field<T> {
	property: INodeProperties;
	/** @throws UserError */
	read(value: unknown, item: InputItem): T;
	/** Returns the fields for the row of a failed item. Left out: none. */
	asked?(value: T): Fields;
}

/** Several fields with one common value. */
export interface FieldGroup<T> {
	properties: INodeProperties[];
	/** The fields' entries in the menu 'Options'. */
	options?: Array<Option<unknown>>;
	/** @throws UserError */
	read(item: InputItem): T | Promise<T>;
	asked?(value: T): Fields;
}

export type AnyField<T> = Field<T> | FieldGroup<T>;

/** The values of fields, by the same names. */
export type ValuesOf<Fields> = {
	[Name in keyof Fields]: Fields[Name] extends AnyField<infer T> ? T : never;
};

/** The fields of an operation, by the names of their values. */
export type FieldsOf<Task> = { [Name in keyof Task]: AnyField<Task[Name]> };

/** An entry of the menu 'Options', or of another collection. */
export interface Option<T> extends Field<T> {
	/** The value if the user doesn't add the entry. */
	ifNotSet: T;
	/** Whether the option applies to the whole execution: items with different values are refused. */
	isForExecution?: boolean;
	read(value: unknown): T;
}

/** Returns the option in a form that applies to the whole execution. */
export function forExecution<T>(option: Option<T>): Option<T> {
	return { ...option, isForExecution: true };
}

/** Makes a text in the panel without a value. */
export function notice(name: string, displayName: string): FieldGroup<undefined> {
	const property: INodeProperties = { displayName, name, type: 'notice', default: '' };
	return { properties: [property], read: () => undefined };
}

export function switchField(property: INodeProperties & { default: boolean }): Option<boolean> {
	const { displayName, default: ifNotSet } = property;
	return { property, ifNotSet, read: (value) => readSwitch(value, displayName, ifNotSet) };
}

/** Reads a switch, which may be empty. An expression may return any value. */
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

/** Makes a field with several choices. An empty value means the default. */
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
		const title = `'${displayName}' can't be ${quotedValue(value)}`;
		throw new UserError(title, `Choose ${names}.`);
	};
	return { property, ifNotSet, read };
}

/** Makes a field with a whole number. @param scale The factor of the value: 1000 for seconds in milliseconds. */
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

/** Reads a whole number, also as text from a form or a model. */
export function wholeNumber(value: unknown): number | undefined {
	const isWritten = typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value);
	const number = isWritten ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}

const ENTER_TEXT = 'Enter text or a number, or use an expression that returns text or a number.';

const NOTHING_FOUND = 'Check the expression against the data of this item, or remove the field.';

/** The maximum length in characters, and the advice for a longer text. */
interface Length {
	longest?: number;
	ifLonger?: string;
}

/** Whether a value has no visible content: a zero-width space, for example, is empty. */
export function isEmpty(value: unknown): boolean {
	const isBlank = typeof value === 'string' && /^[\s\p{Cf}]*$/u.test(value);
	return value === undefined || value === null || isBlank;
}

/** Makes a field with a text or a number, which stays unchanged. Without content, it is empty. */
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

/** Makes a field required. */
export function needed<T>(field: Field<T>): Field<T> {
	const property = { ...field.property, required: true };
	const read = (value: unknown, item: InputItem) => {
		if (!isEmpty(value)) return field.read(value, item);
		throw new UserError(`'${property.displayName}' is empty`, ENTER_TEXT);
	};
	return { ...field, property, read };
}

/**
 * Makes a menu to add fields, in the order in which n8n shows them. Fields that are not added are undefined.
 *
 * @param ifEmpty The advice for an added field without content, which is refused. Left out: the field is ignored.
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

/** Returns the menu 'Options' of an operation, by the alphabet. */
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

/** Refuses an empty expression for a switch or a choice, because it could mean the wrong default. @throws UserError */
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

/** Returns the value of an option; its default if the operation doesn't have the option. */
export type OptionValues = <Value>(option: Option<Value>) => Value;

/**
 * Reads the added entries of a menu. An entry whose expression returns no value is refused, because the user may have
 * added it to avoid its default.
 */
export function optionValues(
	own: Array<Option<unknown>>,
	added: Record<string, unknown>,
): OptionValues {
	const names = own.map(({ property }) => property.name);
	return ({ property, ifNotSet, read }) => {
		const { name, displayName } = property;
		if (!names.includes(name) || !Object.hasOwn(added, name)) return ifNotSet;
		const value = added[name];
		if (value === undefined) throw new UserError(`'${displayName}' is empty`, NOTHING_GIVEN);
		refuseNothing(property, value, NOTHING_GIVEN);
		return read(value);
	};
}

/** Reads a menu with known values, all immediately. @throws UserError */
export function readOptions(own: Array<Option<unknown>>, menu: unknown): OptionValues {
	const valueOf = optionValues(own, isRecord(menu) ? menu : {});
	own.forEach(valueOf);
	return valueOf;
}
