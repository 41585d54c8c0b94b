import type { FormSession } from '@connect-embed/contract';
import type { DonationDraft } from './donation-draft.ts';
import type { FormContext } from './form-context.ts';
import { withTimeout } from './load-form.ts';
import { createFailure, readResponse } from './request-recovery.ts';
import type { Failure } from './retry-policy.ts';

/** The part of a form's context that its session uses. */
type SessionContext = Pick<FormContext, 'server' | 'name' | 'signal' | 'fail' | 'replaceForm'> & {
  draft: Pick<DonationDraft, 'form'>;
};

/**
 * The visitor's session with the server: a token to donate with, and the keys with which the page
 * confirms the payment. It is opened when the donor first uses the form: `server/routes/embed-sessions.ts`
 */
export class EmbedSession {
  /** The latest session; undefined until one is open. */
  current: FormSession | undefined;
  readonly #context: SessionContext;
  #hasExpired = false;
  #request: Promise<FormSession> | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /**
   * Returns the session, and opens one if there is none or it has expired, in one attempt. Calls at the
   * same time share the request.
   *
   * @throws {Failure} with the server's error type; with code `page_expired` if the page shows another
   *   form than the one the server has now, or has loaded Stripe's script with another key
   */
  open(): Promise<FormSession> {
    if (this.current && !this.#hasExpired) return Promise.resolve(this.current);
    this.#request ??= this.#open().finally(() => (this.#request = undefined));
    return this.#request;
  }

  /** Called when the server no longer accepts the token. */
  expire() {
    this.#hasExpired = true;
  }

  async #open(): Promise<FormSession> {
    const { server, name, draft, signal, fail, replaceForm } = this.#context;
    const query = new URLSearchParams({
      ...(name && { form: name }),
      ...(draft.form.form_version && { form_version: `${draft.form.form_version}` }),
    });
    // Without a body the request needs no CORS preflight, which would take a round trip.
    const url = `${server}/embed-sessions?${query}`;
    const request = fetch(url, { method: 'POST', signal: withTimeout(signal) });
    const opened = await readResponse<FormSession>(server, request, signal).catch(
      (error: Failure) => {
        // The form has been closed, or the site may no longer show it.
        if (error.type === 'not_found' || error.type === 'forbidden') fail(error);
        throw error;
      },
    );
    const { form } = opened;
    const isOtherVersion = form.form_version !== draft.form.form_version;
    const key = this.current?.form.publishable_key;
    if (isOtherVersion || (key && key !== form.publishable_key)) {
      // A donor who has just begun gets the current form. One who is paying is asked to reload the page.
      replaceForm(form);
      const failure = { type: 'not_found', code: 'page_expired' } as const;
      throw createFailure(failure, 'The form has changed since the page was loaded.');
    }
    this.#hasExpired = false;
    return (this.current = opened);
  }
}
