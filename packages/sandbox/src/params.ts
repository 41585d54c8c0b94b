import type { Form } from './form-encoding.ts';
import { invalidParamError } from './stripe-error.ts';

/** Parses one parameter, or throws Stripe's error for it. */
export type Reader<T> = (value: string | Form, name: string) => T;

export type Readers = Record<string, Reader<unknown>>;
type ParsedParams<R extends Readers> = { [K in keyof R]?: ReturnType<R[K]> };

/**
 * Parses a form with a table of readers.
 *
 * @throws {StripeError} 400 for a parameter that is not in the table
 */
export function readParams<R extends Readers>(form: Form, readers: R): ParsedParams<R> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(form)) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (!reader) {
      throw invalidParamError(
        name,
        `Received unknown parameter: ${name}. The sandbox knows a part of Stripe's parameters; see packages/sandbox/README.md.`,
        'parameter_unknown',
      );
    }
    read[name] = reader(value, name);
  }
  return read as ParsedParams<R>;
}

/** @throws {StripeError} 400 if the parameter is missing or empty */
export function required<T>(value: T | undefined, name: string): T {
  if (value !== undefined && value !== '') return value;
  throw invalidParamError(name, `Missing required param: ${name}.`, 'parameter_missing');
}

export const text: Reader<string> = (value, name) => {
  if (typeof value === 'string') return value;
  throw invalidParamError(name, `Invalid string: ${JSON.stringify(value)}`);
};

export const oneOf =
  <const T extends string>(...allowed: T[]): Reader<T> =>
  (value, name) => {
    const allowedValue = allowed.find((each) => each === value);
    if (allowedValue) return allowedValue;
    throw invalidParamError(name, `Invalid ${name}: must be one of ${allowed.join(', ')}`);
  };

export const flag: Reader<boolean> = (value, name) => {
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidParamError(name, `Invalid boolean: ${text(value, name)}`);
};

/** Digits only: like Stripe, it rejects `1e3`, `0x10`, ` 5` and `5.0`. */
export const integer: Reader<number> = (value, name) => {
  const digits = text(value, name);
  if (/^-?\d{1,15}$/.test(digits)) return Number(digits);
  throw invalidParamError(name, `Invalid integer: ${digits}`, 'parameter_invalid_integer');
};

export const texts: Reader<string[]> = (value, name) =>
  group(value, name, (each) => text(each, name));

/** Parses every item of a list with the same reader. */
const group = <T>(value: string | Form, name: string, read: (value: string | Form) => T): T[] => {
  if (typeof value === 'string') throw invalidParamError(name, `Invalid array`);
  return Object.values(value).map(read);
};

/** Parses a list of nested fields in Stripe's notation: `items[0][price]`. */
export const list =
  <T>(read: Reader<T>): Reader<T[]> =>
  (value, name) => {
    if (typeof value === 'string') throw invalidParamError(name, 'Invalid array');
    return Object.entries(value).map(([index, each]) => read(each, `${name}[${index}]`));
  };

/** An empty text resets the value to null. */
export const nullable =
  <T>(read: Reader<T>): Reader<T | null> =>
  (value, name) =>
    value === '' ? null : read(value, name);

/** Parses nested fields with a table of readers; errors name a field as `card[number]`. */
export const fields =
  <R extends Readers>(readers: R): Reader<ParsedParams<R>> =>
  (value, name) => {
    if (typeof value === 'string') throw invalidParamError(name, 'Invalid object');
    const nested: Readers = {};
    for (const [key, read] of Object.entries(readers)) {
      nested[key] = (each) => read(each, `${name}[${key}]`);
    }
    return readParams(value, nested) as ParsedParams<R>;
  };

/** Accepts any value: the parameter has no effect in the sandbox. */
export const ignored: Reader<unknown> = (value) => value;

/** Stripe's limits: 50 keys of 40 characters with 500 characters each. */
export const metadata: Reader<Record<string, string>> = (value, name) => {
  if (value === '') return {};
  if (typeof value === 'string') throw invalidParamError(name, 'Invalid object');
  const entries = Object.entries(value).map(([key, each]) => {
    if (key.length > 40)
      throw invalidParamError(name, `Metadata keys can have up to 40 characters.`);
    const metadataValue = text(each, `${name}[${key}]`);
    if (metadataValue.length <= 500) return [key, metadataValue] as const;
    throw invalidParamError(
      name,
      `Metadata values can have up to 500 characters, but you passed in a value that is ${metadataValue.length} characters. (${key})`,
    );
  });
  if (entries.length > 50) throw invalidParamError(name, 'Metadata can have up to 50 keys.');
  return Object.fromEntries(entries);
};

export const email: Reader<string | null> = (value, name) => {
  const address = text(value, name);
  if (address === '') return null;
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address) && address.length <= 512) return address;
  throw invalidParamError(name, `Invalid email address: ${address}`, 'email_invalid');
};
