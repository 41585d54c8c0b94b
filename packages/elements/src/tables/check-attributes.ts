import { findTimeZone } from '../shared/time-zone.ts';
import { MAX_LIMIT } from './paged-list.ts';
import { findProvider } from './default-provider.ts';
import { warnOnce } from '../shared/warn-once.ts';

const checked = new WeakMap<Element, string>();

/** Allowed values and a validator by attribute. Attributes not listed accept any text. */
const RULES: Readonly<Record<string, [allowed: string, isValid: (text: string) => boolean]>> = {
  limit: [
    `a whole number from 1 to ${MAX_LIMIT}`,
    (text) => isWithin(Number(text.trim() || NaN), 1, MAX_LIMIT),
  ],
  'refresh-seconds': [
    'a number of seconds, or 0 for never',
    (text) => text.trim() !== '' && Number(text) >= 0 && Number(text) < Infinity,
  ],
  'time-zone': ['a time zone such as America/New_York', (text) => !text || !!findTimeZone(text)],
  locale: ['a language such as de-AT', isLanguage],
};

/** Property names by attribute name, for example `time-zone` → `timeZone`. */
const PROPERTIES = Object.fromEntries(
  Object.keys(RULES).map((name) => [
    name,
    name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ]),
);

/** Attributes whose properties are numbers. */
const NUMBERS = new Set(['limit', 'refresh-seconds']);

/** Converts a numeric property that a framework or script has set as a string. */
function readAsNumber(element: HTMLElement, property: string) {
  const values = element as unknown as Record<string, unknown>;
  if (typeof values[property] === 'string') values[property] = Number(values[property]);
}

/**
 * Reports invalid attribute values of an element and its `<connect-provider>` in the console. The
 * element ignores invalid values.
 */
export function checkAttributes(element: HTMLElement) {
  for (const target of [element, findProvider(element)]) if (target) checkElement(target);
}

function checkElement(element: HTMLElement) {
  const names = Object.keys(RULES).filter((name) => PROPERTIES[name]! in element);
  const values = names.map((name) => {
    const value = (element as unknown as Record<string, unknown>)[PROPERTIES[name]!];
    return `${(value ?? '') as string}`;
  });
  // Skip unchanged values: this runs after every render, and looking up a time zone is slow.
  const state = values.join('\n');
  if (checked.get(element) === state) return;
  checked.set(element, state);
  names.forEach((name, index) => {
    const [allowed, isValid] = RULES[name]!;
    if (!isValid(values[index]!)) warnOnce(element, name, values[index]!, allowed);
    else if (NUMBERS.has(name)) readAsNumber(element, PROPERTIES[name]!);
  });
}

const isWithin = (value: number, min: number, max: number) =>
  Number.isInteger(value) && value >= min && value <= max;

function isLanguage(text: string): boolean {
  try {
    return !text || !!new Intl.Locale(text.trim().replaceAll('_', '-'));
  } catch {
    return false;
  }
}
