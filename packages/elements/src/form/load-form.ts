import type { PublicForm } from '@connect-embed/contract';
import { call, readJson, requireSuccess } from '../shared/http.ts';
import { embedFormUrl, takeFormRequest } from '../shared/page-state.ts';
import { waitSeconds, withRetry } from './retry-policy.ts';

/** Which form of which server a page shows. */
export interface FormAddress {
  server: string;
  /** Null for the server's default form. */
  name: string | null;
}

/**
 * Loads what is needed to draw a form (`server/routes/embed-form.ts`), with retries as long as they can
 * help. The first request is the one that the loader has made in advance, if there is one.
 *
 * @throws {ConnectError} the error of the server, or `unavailable` without a response
 */
export function loadForm(address: FormAddress, signal: AbortSignal): Promise<PublicForm> {
  const url = embedFormUrl(address);
  let response = takeFormRequest(url)?.response;
  return withRetry(() => {
    const form = response
      ? readJson<PublicForm>(url, response.then(requireSuccess), { signal })
      : call<PublicForm>(url, { signal });
    response = undefined;
    return form;
  }, waitSeconds);
}
