import type { ApiError, Intent } from './api.ts';

/** What the elements were created for. */
export type Expected = { mode: string; amount?: number; currency?: string; usage: string | null };

/** The elements were created for one sum and one use; nobody pays another one by mistake. */
export function differs(
  { mode, amount, currency, usage }: Expected,
  intent: Intent,
): ApiError | undefined {
  const setsUp = intent.object === 'setup_intent';
  if (setsUp !== (mode === 'setup')) {
    if (!setsUp || mode === 'payment') return mismatched('mode', intent.object, mode);
  }
  if (setsUp) return undefined;
  if (amount !== intent.amount) return mismatched('amount', intent.amount, amount);
  if (currency !== intent.currency) return mismatched('currency', intent.currency, currency);
  const kept = intent.setup_future_usage ?? null;
  if (mode === 'payment' && usage !== kept) return mismatched('setup_future_usage', kept, usage);
  return undefined;
}

const mismatched = (name: string, there: unknown, here: unknown): ApiError => ({
  type: 'invalid_request_error',
  message: `The ${name} of the intent (${String(there)}) does not match the ${name} given to elements() (${String(here)}). Call elements.update() first.`,
});
