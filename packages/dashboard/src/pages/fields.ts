import { EmailAddress } from '@connect-embed/contract/field-schemas';
import {
  ConnectError,
  currencyDecimals,
  decimalText,
  parseMoney,
  problemOf,
} from '@connect-embed/contract';
import type { Context } from 'hono';
import { readFormData } from '@connect-embed/api/http/read-form';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { instantOfInput } from './local-time.ts';
import { processorProblem } from './processor-problem.ts';

/** Values and validation errors of a form. */
export type FormState = Pick<FormFields, 'value' | 'values' | 'problems' | 'rejection'>;

/**
 * Formats an amount in cents for an input field. A null amount gives an empty string.
 *
 * Amounts of currencies with three decimals are multiples of ten, and are written with two, because
 * `parseMoney` cannot tell three from thousands.
 */
export function amountText(cents: number | null, currency: string): string {
  if (cents === null) return '';
  const decimals = currencyDecimals(currency);
  return decimals === 3 ? decimalText(cents / 10, 2) : decimalText(cents, decimals);
}

const INVALID_AMOUNT = 'Enter an amount such as 25.00.';

/** Returns an entered amount in cents; undefined if it is none. */
function parseAmount(text: string, currency: string): number | undefined {
  try {
    return parseMoney(text, currency, LOCALE);
  } catch (error) {
    if (error instanceof ConnectError) return undefined;
    throw error;
  }
}

/** Returns an entered color as `#rrggbb`; undefined if it is none. */
export function parseColor(text: string): string | undefined {
  const [, digits = ''] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/.exec(text.trim().toLowerCase()) ?? [];
  if (!digits) return undefined;
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}

const MAX_LINE = 200;
const MAX_TEXT = 5000;

/**
 * Reads a form field by field and collects the errors of the fields, so that a rejected form shows
 * all errors at once and keeps the typed values.
 */
export class FormFields {
  readonly #data: FormData | URLSearchParams;
  readonly #problems = new Map<string, string>();
  /** The errors by the name of their field. The name of a row is that of its field and a number: `amounts.2`. */
  readonly problems: ReadonlyMap<string, string> = this.#problems;
  /** Error that concerns the whole form instead of one field. */
  formError: string | undefined;

  /** @param data the submitted or initial values; the default is an empty form */
  constructor(data: FormData | URLSearchParams = new URLSearchParams()) {
    this.#data = data;
  }

  value(name: string): string {
    return this.values(name)[0] ?? '';
  }

  /** Values of all fields with this name, such as those of the selected checkboxes. */
  values(name: string): readonly string[] {
    return this.#data.getAll(name).filter((value) => typeof value === 'string');
  }

  /** Replaces the values of all fields with this name. */
  setValues(name: string, values: readonly string[]): void {
    this.#data.delete(name);
    for (const value of values) this.#data.append(name, value);
  }

  /** Returns an uploaded file; null if none was selected, which is submitted as an empty file. */
  file(name: string): File | null {
    const files = this.#data.getAll(name).filter((value) => value instanceof File);
    return files.find(({ size }) => size > 0) ?? null;
  }

  /** Adds an error of a field. The first one wins. */
  addError(name: string, problem: string): void {
    if (!this.#problems.has(name)) this.#problems.set(name, problem);
  }

  /** Reads a single line of text; null if the field is empty. */
  text(name: string, max = MAX_LINE): string | null {
    return this.#line(name, this.value(name), max);
  }

  /** Reads the texts of all fields with this name; null for an empty field. */
  textList(name: string, max: number): (string | null)[] {
    return this.values(name).map((value, index) => this.#line(`${name}.${index}`, value, max));
  }

  #line(name: string, value: string, max: number): string | null {
    const text = value.trim();
    if (/\p{Cc}/u.test(text)) this.addError(name, 'Contains invalid characters.');
    if (text.length > max) this.addError(name, `Enter at most ${max} characters.`);
    return text || null;
  }

  /** Reads several lines of text; null if the field is empty. */
  multilineText(name: string, max = MAX_TEXT): string | null {
    const text = this.value(name).replace(/\r\n?/g, '\n').trim();
    if (/[^\P{Cc}\n\t]/u.test(text)) this.addError(name, 'Contains invalid characters.');
    if (text.length > max) this.addError(name, `Enter at most ${max} characters.`);
    return text || null;
  }

  email(name: string): string | null {
    const text = this.text(name, 254);
    if (text === null) return null;
    const email = EmailAddress.safeParse(text);
    if (!email.success) this.addError(name, 'Enter an email address such as ana@example.org.');
    return email.data ?? text;
  }

  url(name: string): string | null {
    const text = this.text(name, 2000);
    if (text !== null && URL.parse(text)?.protocol !== 'https:') {
      this.addError(name, 'Enter a URL that starts with https://');
    }
    return text;
  }

  /** Reads an amount, in cents; null if the field is empty. */
  money(name: string, currency: string, { min = 0, max = 99_999_999_99 } = {}): number | null {
    const text = this.text(name, 40);
    if (text === null) return null;
    const cents = parseAmount(text, currency);
    if (cents === undefined) {
      this.addError(name, INVALID_AMOUNT);
      return null;
    }
    if (cents < min)
      this.addError(name, min === 1 ? 'Must be greater than 0.' : 'The amount is too small.');
    if (cents > max) this.addError(name, 'The amount is too large.');
    return cents;
  }

  /** Reads the amounts of all fields with this name, in cents; null for an empty field. */
  moneyList(name: string, currency: string): (number | null)[] {
    return this.values(name).map((value, index) => {
      if (!value.trim()) return null;
      const cents = parseAmount(value, currency);
      if (cents === undefined) this.addError(`${name}.${index}`, INVALID_AMOUNT);
      return cents ?? null;
    });
  }

  /** Reads a color as `#rrggbb`; null if the field is empty. */
  color(name: string): string | null {
    const text = this.text(name, 40);
    const color = text === null ? null : parseColor(text);
    if (color === undefined) this.addError(name, 'Enter a color such as #0b6b5b.');
    return color ?? null;
  }

  integer(name: string, { min = 0, max = 1_000_000 } = {}): number | null {
    const text = this.text(name, 20);
    if (text === null) return null;
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    if (number >= min && number <= max) return number;
    this.addError(name, `Enter a whole number from ${min} to ${max.toLocaleString(LOCALE)}.`);
    return null;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value {
    const option = values.find((value) => value === this.value(name));
    if (option === undefined) this.addError(name, 'Select an option.');
    return option ?? values[0]!;
  }

  checked(name: string): boolean {
    return this.value(name) === 'on';
  }

  /** Reads a calendar date, as midnight UTC; null if the field is empty. */
  date(name: string): Date | null {
    const text = this.text(name, 40);
    if (text === null) return null;
    const date = instantOfInput(`${text}T00:00`, 'UTC');
    if (!date) this.addError(name, 'Enter a date such as 2027-01-31.');
    return date ?? null;
  }

  /** Reads a local time in `zone`; null if the field is empty. */
  dateTime(name: string, zone: string): Date | null {
    const text = this.text(name, 40);
    if (text === null) return null;
    const date = instantOfInput(text, zone);
    if (!date) this.addError(name, 'Enter a date and time such as 2027-01-31T18:30.');
    return date ?? null;
  }

  get hasErrors(): boolean {
    return this.problems.size > 0 || this.formError !== undefined;
  }

  /** Why the submitted values were not saved; undefined without errors. */
  get rejection(): string | undefined {
    if (!this.hasErrors) return undefined;
    return this.formError ?? 'Nothing was saved. Correct the marked fields and try again.';
  }

  /**
   * Runs `operation` if the form has no errors.
   *
   * An `invalid_request`, `conflict` or `unavailable` error that `operation` throws becomes an error of
   * the form, so that nothing typed is lost.
   *
   * @returns the result of `operation`; undefined if the form has errors and must be shown again
   */
  async submit<Value>(operation: () => Promise<Value>): Promise<{ value: Value } | undefined> {
    if (this.hasErrors) return undefined;
    try {
      return { value: await operation() };
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      if (error.type === 'invalid_request') this.#addDomainError(error);
      else if (error.type === 'conflict') this.formError = error.message;
      else if (error.type === 'unavailable') this.formError = processorProblem(error);
      else throw error;
      return undefined;
    }
  }

  /**
   * Adds an `invalid_request` error of the API to its form field. The form field has the last part of
   * the name of the API's parameter, such as `intro` for `texts.intro`, without the suffix `_cents`.
   */
  #addDomainError(error: ConnectError): void {
    const problem = problemOf(error);
    if (error.param === undefined) this.formError = problem;
    else
      this.addError(
        error.param.replace(/^.*\./, '').replace(/_cents$/, ''),
        problem.charAt(0).toUpperCase() + problem.slice(1),
      );
  }
}

export const readFields = async (c: Context) => new FormFields(await readFormData(c));
