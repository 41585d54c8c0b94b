/** A mistake that is planted into the API, to show that the simulation finds it. */
export interface Defect {
  description: string;
  /** Changes the text of an SQL statement. */
  rewriteSql?: (text: string) => string;
  /** Whether each request to the processor has a new idempotency key. */
  changesProcessorKeys?: boolean;
}

export const DEFECTS: Record<string, Defect> = {
  'no-transactions': {
    description: 'the statements of a transaction are committed one by one',
    rewriteSql: (text) => (/^(begin|commit|rollback)$/.test(text) ? 'select' : text),
  },
  'early-status': {
    description: 'a donor is shown a success before the donation is recorded',
    rewriteSql: (text) =>
      text.startsWith('select "payment_intent"."status"')
        ? text.replace('"payment_intent"."status"', `'succeeded' as "status"`)
        : text,
  },
  'delivered-when-claimed': {
    description: 'a webhook event counts as delivered before it is sent',
    rewriteSql: (text) =>
      text.replace(
        /set attempts = d\.attempts \+ 1, /,
        `$&status = 'delivered', delivered_at = now(), next_attempt_at = null, `,
      ),
  },
  'new-processor-key': {
    description: 'a repeated request has another idempotency key at the processor',
    changesProcessorKeys: true,
  },
};
