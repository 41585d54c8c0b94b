import type { FormSession, PublicForm } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import { call } from '../shared/http.ts';
import type { DonationDraft } from './donation-draft.ts';
import type { FormContext } from './form-context.ts';

/** The part of a form's context that its session uses. */
type SessionContext = Pick<
  FormContext,
  'server' | 'name' | 'signal' | 'isReplacement' | 'replaceForm'
> & {
  host: Pick<Element, 'shadowRoot'>;
  draft: Pick<DonationDraft, 'form' | 'values'>;
};

/**
 * The visitor's session with the server: a token to donate with, and the keys with which the page
 * confirms the payment. It is opened when the donor first uses the form: `server/routes/embed-sessions.ts`
 */
export class FormSessionLoader {
  /** The latest session; undefined until one is open. */
  current: FormSession | undefined;
  readonly #context: SessionContext;
  readonly #onUnusable: (error: unknown) => void;
  /** True once the server has rejected a donation of this session because a proof was missing. */
  needsProof = false;
  #hasExpired = false;
  #request: Promise<FormSession> | undefined;

  /** @param onUnusable called if the form on the page can take no donation, and a retry cannot change that */
  constructor(context: SessionContext, onUnusable: (error: unknown) => void) {
    this.#context = context;
    this.#onUnusable = onUnusable;
  }

  /**
   * Returns the session, and opens one if there is none or it has expired, in one attempt. Calls at the
   * same time share the request.
   *
   * @throws {ConnectError} the error of the server; `not_found` / `page_expired` if the form has changed,
   *   or Stripe's script was loaded with another key
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
    try {
      const session = await this.#requestSession();
      this.#requireSameForm(session.form);
      this.#hasExpired = false;
      return (this.current = session);
    } catch (error) {
      // The form is closed, the site may no longer show it, or the page is out of date.
      const type = error instanceof ConnectError ? error.type : undefined;
      if (type === 'not_found' || type === 'forbidden') this.#onUnusable(error);
      throw error;
    }
  }

  #requestSession(): Promise<FormSession> {
    const { server, name, draft, signal } = this.#context;
    signal.throwIfAborted();
    const query = new URLSearchParams({
      ...(name && { form: name }),
      ...(draft.form.form_version && { form_version: `${draft.form.form_version}` }),
    });
    // Without a body the request needs no CORS preflight, which would take a round trip.
    return call(`${server}/embed-sessions?${query}`, { method: 'POST', signal });
  }

  /**
   * Requires that the donor sees the terms under which the session takes donations. A donor who has just
   * begun gets the current form.
   */
  #requireSameForm(form: FormSession['form']) {
    const { draft, host, isReplacement, replaceForm } = this.#context;
    const isOtherForm = termsOf(form) !== termsOf(draft.form);
    const hasOtherKey = this.current && this.current.form.publishable_key !== form.publishable_key;
    if (isOtherForm && !isReplacement) {
      const focused = selectorOf(host.shadowRoot?.activeElement);
      replaceForm({ form, values: draft.values, focused });
    }
    if (isOtherForm || hasOtherKey) {
      const message = 'The form has changed since the page was loaded.';
      throw new ConnectError('not_found', message, { code: 'page_expired' });
    }
  }
}

/** Everything that a donor agrees to by giving, and how the donor can pay, as text. */
const termsOf = (form: PublicForm) =>
  JSON.stringify([
    form.terms,
    form.fund_name,
    form.campaign_name,
    form.currency,
    form.livemode,
    form.payment_method_types,
  ]);

/** A selector that finds the same field in another form. */
function selectorOf(element: Element | null | undefined): string | undefined {
  if (element?.matches('[type=radio]')) {
    const { name, value } = element as HTMLInputElement;
    return `[name="${name}"][value="${value}"]`;
  }
  return element?.id ? `#${element.id}` : undefined;
}
