import { DONATION_EXAMPLES } from './donations.ts';
import { DONOR_EXAMPLES } from './donors.ts';
import { EVENT_EXAMPLES } from './events.ts';
import type { Example, Examples } from './example.ts';
import { PAYMENT_EXAMPLES } from './payments.ts';
import { PAYOUT_EXAMPLES } from './payouts.ts';
import { REFERENCE_DATA_EXAMPLES } from './reference-data.ts';
import { WEBHOOK_EXAMPLES } from './webhooks.ts';

/** The examples of every operation. A test fails for an operation without an example. */
export const EXAMPLES: Examples = {
  ...DONATION_EXAMPLES,
  ...DONOR_EXAMPLES,
  ...PAYOUT_EXAMPLES,
  ...EVENT_EXAMPLES,
  ...REFERENCE_DATA_EXAMPLES,
  ...PAYMENT_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
};

/** Named examples in the format of an OpenAPI media type. */
export type NamedExamples = Record<string, { summary: string; value: object | string }>;

/** Returns the examples of an operation's request body. */
export const requestExamples = (operationId: string) =>
  namedExamples(operationId, ({ body }) => body);

/** Returns the examples of an operation's successful response. */
export const responseExamples = (operationId: string) =>
  namedExamples(operationId, ({ response }) => response);

/** Returns a parameter's value in the first example of the operation. */
export const parameterExample = (operationId: string, name: string) =>
  EXAMPLES[operationId]?.[0].parameters?.[name];

function namedExamples(
  operationId: string,
  valueOf: (example: Example) => object | string | undefined,
): { examples?: NamedExamples } {
  const named = (EXAMPLES[operationId] ?? []).flatMap((example) => {
    const { title = 'Example' } = example;
    const value = valueOf(example);
    return value ? [[nameOf(title), { summary: title, value }] as const] : [];
  });
  return named.length > 0 ? { examples: Object.fromEntries(named) } : {};
}

const nameOf = (title: string) => title.toLowerCase().replaceAll(' ', '_');
