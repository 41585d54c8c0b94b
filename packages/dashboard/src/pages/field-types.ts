import { hasVisibleText } from '@connect-embed/contract/visible-text';
import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import {
  checkbox,
  checkboxes,
  fileInput,
  input,
  radios,
  select,
  textArea,
  type Choice,
} from './field-view.ts';
import { isSlug } from '@connect-embed/api/resources/catalogue/slug';
import { amountText, type FormFields, type FormState } from './fields.ts';
import { isTimeZone, localTimeText } from './local-time.ts';

/** What people read about a form field. */
export interface FieldOptions {
  label: string;
  /** Help text below the field. */
  hint?: string;
  /** Maximum length of the text, in characters. */
  max?: number;
  /** Heading above the field, which starts a new section of the form. */
  heading?: string;
  /** True if the field shares its line with its neighbors that have this option too. */
  half?: boolean;
}

/** A field of a form: how it is rendered and read. */
export interface FieldType<Value> {
  options: FieldOptions & { required?: boolean };
  render: (draft: FormState, field: FieldOptions & { name: string; required?: boolean }) => Html;
  /** Reads the submitted value. An error is added to `form`, and the value is then not used. */
  read: (form: FormFields, name: string) => Value;
  /**
   * Returns the text of the field for a saved value, or several texts if it has several inputs;
   * `values` are those of all fields.
   */
  toText: (value: Value, values: Readonly<Record<string, unknown>>) => string | readonly string[];
}

/** The fields of a form in display order: one for each property of the input that it reads. */
export type FieldsOf<Input> = {
  [Name in keyof Input]-?: FieldType<Exclude<Input[Name], undefined>>;
};

/** The input that the fields of a form read. */
export type InputOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends FieldType<infer Value> ? Value : never;
};

/** A single line of text; null if empty. */
export const text = (options: FieldOptions): FieldType<string | null> => ({
  options,
  render: input,
  read: (form, name) => form.text(name, options.max),
  toText: (value) => value ?? '',
});

/** A single line of text that is not blank for readers; null if empty. */
export const visibleText = (options: FieldOptions): FieldType<string | null> => ({
  ...text(options),
  read: (form, name) => {
    const value = form.text(name, options.max);
    if (value !== null && !hasVisibleText(value))
      form.addError(name, 'Enter text that can be seen.');
    return value;
  },
});

/** A file of one of the given media types; null if none was selected. */
export const file = (options: FieldOptions & { accept: string }): FieldType<File | null> => ({
  options,
  render: (draft, field) => fileInput(draft, { ...field, accept: options.accept }),
  read: (form, name) => form.file(name),
  // Browsers do not accept an initial value for a file.
  toText: () => '',
});

/** A secret, which is hidden while it is typed; null if empty. */
export const secret = (options: FieldOptions): FieldType<string | null> => ({
  ...text(options),
  render: (draft, field) => input(draft, { ...field, type: 'password' }),
});

/** Several lines of text; null if empty. */
export const multilineText = (options: FieldOptions): FieldType<string | null> => ({
  options,
  render: textArea,
  read: (form, name) => form.multilineText(name, options.max),
  toText: (value) => value ?? '',
});

/**
 * Several values, one on each line. `problem` is the error of a line with more than 200 characters.
 */
export const lines = (options: FieldOptions & { problem: string }): FieldType<string[]> => ({
  options,
  render: textArea,
  read: (form, name) => {
    const values = (form.multilineText(name) ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    if (values.some((value) => value.length > 200)) form.addError(name, options.problem);
    return values;
  },
  toText: (values) => values.join('\n'),
});

export const phone = (options: FieldOptions): FieldType<string | null> => ({
  ...text({ max: 40, ...options }),
  render: (draft, field) => input(draft, { ...field, type: 'tel' }),
});

export const email = (options: FieldOptions): FieldType<string | null> => ({
  options: { max: 254, ...options },
  render: (draft, field) => input(draft, { ...field, type: 'email' }),
  read: (form, name) => form.email(name),
  toText: (value) => value ?? '',
});

export const url = (options: FieldOptions): FieldType<string | null> => ({
  options: { max: 2000, ...options },
  render: (draft, field) => input(draft, { ...field, type: 'url' }),
  read: (form, name) => form.url(name),
  toText: (value) => value ?? '',
});

/** The part of a URL that names a record. If it is empty, it is derived from the field `source`. */
export const urlName = ({ source }: { source: string }): FieldType<string> => ({
  options: {
    label: 'URL name',
    hint: `Lowercase letters, digits and hyphens. Leave empty to create it from the ${source}.`,
    max: 60,
  },
  render: input,
  read: (form, name) => {
    const slug = form.text(name, 60) ?? '';
    if (slug && !isSlug(slug))
      form.addError(name, 'Use only lowercase letters, digits and single hyphens.');
    return slug;
  },
  toText: (slug) => slug,
});

/** An amount of money, in cents; null if empty. */
export const money = (
  options: FieldOptions & { currency: string; min?: number },
): FieldType<number | null> => ({
  options: { ...options, label: `${options.label} (${options.currency.toUpperCase()})`, max: 40 },
  render: (draft, field) => input(draft, { ...field, inputmode: 'decimal' }),
  read: (form, name) =>
    form.money(name, options.currency, options.min === undefined ? {} : { min: options.min }),
  toText: (cents) => amountText(cents, options.currency),
});

/** A whole number from `from` to `to`; null if empty. */
export const wholeNumber = (
  options: FieldOptions & { from?: number; to?: number },
): FieldType<number | null> => ({
  options,
  render: (draft, field) => input(draft, { ...field, inputmode: 'numeric' }),
  read: (form, name) =>
    form.integer(name, { min: options.from ?? 0, max: options.to ?? 1_000_000 }),
  toText: (value) => (value === null ? '' : String(value)),
});

/** A calendar date, as midnight UTC; null if empty. */
export const date = (options: FieldOptions): FieldType<Date | null> => ({
  options,
  render: (draft, field) => input(draft, { ...field, type: 'date' }),
  read: (form, name) => form.date(name),
  toText: (value) => value?.toISOString().slice(0, 10) ?? '',
});

/** A local time in the time zone that the field `zoneField` of the same form contains. */
export const dateTime = (
  options: FieldOptions & { zoneField: string },
): FieldType<Date | null> => ({
  options: { max: 19, ...options },
  render: (draft, field) => input(draft, { ...field, type: 'datetime-local' }),
  read: (form, name) => {
    const zone = form.value(options.zoneField);
    return form.dateTime(name, isTimeZone(zone) ? zone : 'UTC');
  },
  toText: (value, values) => (value ? localTimeText(value, String(values[options.zoneField])) : ''),
});

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** The name of an IANA time zone. */
export const timeZone = (options: FieldOptions): FieldType<string> => ({
  options: { ...options, required: true },
  render: (draft, field) => {
    const zone = draft.value(field.name);
    // A saved zone can have a former name, such as US/Pacific, that is not in the list.
    const names = ZONES.includes(zone) || !isTimeZone(zone) ? ZONES : [zone, ...ZONES];
    const choices = names.map((value) => ({ value, text: value.replaceAll('_', ' ') }));
    return select(draft, field, choices);
  },
  read: (form, name) => {
    const zone = form.text(name) ?? '';
    if (!isTimeZone(zone)) form.addError(name, 'Select a time zone.');
    return zone;
  },
  toText: (value) => value,
});

/** One of a few choices, each of which can have a hint. */
export const oneOf = <Value extends string>(
  options: FieldOptions & {
    choices: Readonly<Partial<Record<Value, { text: string; hint?: string }>>>;
  },
): FieldType<Value> => {
  const choices = Object.entries(options.choices) as [Value, { text: string; hint?: string }][];
  return {
    options,
    render: (draft, field) =>
      radios(
        draft,
        field,
        choices.map(([value, choice]) => ({ value, ...choice })),
      ),
    read: (form, name) =>
      form.oneOf(
        name,
        choices.map(([value]) => value),
      ),
    toText: (value) => value,
  };
};

/** Some of a few choices. `problem` is the error if none is selected; without it, none may be. */
export const someOf = <Value extends string>(
  options: FieldOptions & { choices: readonly (Choice & { value: Value })[]; problem?: string },
): FieldType<Value[]> => ({
  options,
  render: (draft, field) => checkboxes(draft, field, options.choices),
  read: (form, name) => {
    const selected = options.choices
      .map(({ value }) => value)
      .filter((value) => form.values(name).includes(value));
    if (options.problem && selected.length === 0) form.addError(name, options.problem);
    return selected;
  },
  toText: (values) => values,
});

/** A whole number that the form contains but does not show. */
export const hiddenNumber = (): FieldType<number> => ({
  options: { label: '' },
  render: (draft, { name }) =>
    html`<input type="hidden" name="${name}" value="${draft.value(name)}" />`,
  read: (form, name) => form.integer(name) ?? 0,
  toText: String,
});

/** The id of a record from a drop-down list; null if none is selected. */
export const recordId = (
  options: FieldOptions & { none: string; choices: readonly Choice[] },
): FieldType<string | null> => ({
  options,
  render: (draft, field) =>
    select(draft, field, [{ value: '', text: options.none }, ...options.choices]),
  read: (form, name) => form.text(name),
  toText: (value) => value ?? '',
});

export const yesOrNo = (options: FieldOptions): FieldType<boolean> => ({
  options,
  render: checkbox,
  read: (form, name) => form.checked(name),
  toText: (value) => (value ? 'on' : ''),
});

/** Requires a value. `problem` is the error of an empty field. */
export const required = <Value>(
  field: FieldType<Value | null>,
  problem = 'This field is required.',
): FieldType<Value> => ({
  ...field,
  options: { ...field.options, required: true },
  read: (form, name) => {
    const value = field.read(form, name);
    if (value === null) form.addError(name, problem);
    // The form now has an error, so null is not used.
    return value as Value;
  },
});

/** Uses `defaultValue` if the field is empty. */
export const withDefault = <Value>(
  field: FieldType<Value | null>,
  defaultValue: Value,
): FieldType<Value> => ({
  ...field,
  read: (form, name) => field.read(form, name) ?? defaultValue,
});

/** Reads the field only if the field `name` of the form has the given value, and otherwise ignores it. */
export const onlyIf = <Value>(
  [condition, expected]: readonly [name: string, value: string],
  field: FieldType<Value>,
): FieldType<Value | null> => ({
  ...field,
  read: (form, name) => (form.value(condition) === expected ? field.read(form, name) : null),
  toText: (value, values) => (value === null ? '' : field.toText(value, values)),
});

/** A value that the form does not ask for. */
export const notAsked = <Value>(value: Value): FieldType<Value> => ({
  options: { label: '' },
  render: () => html``,
  read: () => value,
  toText: () => '',
});
