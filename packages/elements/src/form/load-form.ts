import type { PublicForm } from '@connect-embed/contract';
import { embedFormUrl, readForm, takeFormRequest } from '../shared/page-state.ts';

/** Timeout of one request. Long enough for a phone with a slow connection. */
const TIMEOUT_MS = 15_000;

/** Which form of which server a page shows. */
export interface FormAddress {
  server: string;
  /** Undefined or null for the server's default form. */
  name: string | null;
}

/** Loads a form whose first request has failed: `request-recovery.ts`. */
export type RecoverForm = (
  address: FormAddress,
  firstRequest: Promise<Response>,
  signal: AbortSignal,
) => Promise<PublicForm>;

/**
 * Loads what is needed to draw a form (`server/routes/embed-form.ts`), with the request that the loader
 * has made in advance, if there is one.
 *
 * @param importRecovery loads the code for a failure, because requests seldom fail
 * @returns the form itself if it has already arrived
 * @throws {Failure} after retries, with the server's error type
 * @throws {TypeError} if also the code for a failure cannot be loaded
 */
export function loadForm(
  address: FormAddress,
  signal: AbortSignal,
  importRecovery: () => Promise<{ recoverForm: RecoverForm }>,
): PublicForm | Promise<PublicForm> {
  const url = embedFormUrl(address);
  const request = takeFormRequest(url) ?? { response: fetch(url, { signal: withTimeout(signal) }) };
  const waitForResponse = async () => {
    const reading = readForm(request);
    await reading.catch(() => {});
    if (request.form) return request.form;
    return (await importRecovery()).recoverForm(address, reading, signal);
  };
  return request.form ?? waitForResponse();
}

/** A signal that also aborts a request without a response. */
export const withTimeout = (signal: AbortSignal) =>
  AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
