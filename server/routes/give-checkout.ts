import {
  ConnectError,
  statusOf,
  type CallOptions,
  type ConnectClient,
  type ResponseHeaders,
  type CreateCheckoutSession,
  type EmbedForm,
} from '@connect-embed/contract';
import { currencyDecimals } from '@connect-embed/contract/currency';
import { decimalText } from '@connect-embed/contract/money';
import type { Context, MiddlewareHandler } from 'hono';
import { contentHash } from '../content-hash.ts';
import type { Deps, Env } from '../env.ts';
import type { OpenFormSession } from '../form-sessions.ts';
import type { CheckoutForm } from '../giving-page/checkout-form.ts';
import type { GivingPageTranslator } from '../giving-page/giving-page.ts';
import {
  problemOf,
  readTyped,
  toDonation,
  type CheckoutDonation,
  type FormTranslator,
  type TypedDonation,
} from '../giving-page/typed-donation.ts';
import { sendDonation } from '../send-donation.ts';

/** A form page, from which a donor without JavaScript has sent a donation. */
interface Submission {
  /** Name of the form. */
  name: string;
  /** The permanent address of the page. */
  address: string;
  session: OpenFormSession;
  translator: GivingPageTranslator;
  formTranslator: FormTranslator;
}

/** A submission that was not accepted: the form to show again. */
export interface Rejection {
  checkout: CheckoutForm;
  status: ReturnType<typeof statusOf>;
  retryAfterSeconds?: number | undefined;
}

/**
 * Middleware that rejects forms of other sites. Browsers send `Origin` with every POST.
 *
 * @throws {ConnectError} `forbidden`
 */
export const requireOwnOrigin =
  ({ config }: Deps): MiddlewareHandler<Env> =>
  async (c, next) => {
    if (!config.publicUrl || c.req.header('origin') !== new URL(config.publicUrl).origin) {
      const message = 'This form can only be sent from its own page.';
      throw new ConnectError('forbidden', message, { code: 'origin_not_allowed', param: 'Origin' });
    }
    await next();
  };

/**
 * Creates the payment page for a submitted form.
 *
 * @returns the URL to which the donor goes, or the form to show again, with everything that was typed
 */
export async function startCheckout(
  c: Context<Env>,
  deps: Deps,
  submission: Submission,
): Promise<{ url: string } | Rejection> {
  const { session, formTranslator } = submission;
  const { form } = session;
  const typed = readTyped(new URLSearchParams(await c.req.text()));
  try {
    const result = toDonation(typed, form, formTranslator);
    if ('problems' in result) return { checkout: { form, typed, ...result }, status: 400 };
    return { url: await createCheckoutSession(c, deps, submission, typed, result.donation) };
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    const problems = problemOf(error, formTranslator);
    const notice = problems ? undefined : noticeOf(error, submission);
    const checkout = { form, typed, problems: problems ?? {}, notice };
    const status = statusOf(error);
    return {
      checkout,
      status: status < 500 ? status : 503,
      retryAfterSeconds: error.retryAfterSeconds,
    };
  }
}

/**
 * @returns where the donor goes: the payment page, or back if the donor has already paid
 * @throws {ConnectError} of the guard or the API
 */
async function createCheckoutSession(
  c: Context<Env>,
  deps: Deps,
  { name, address, session }: Submission,
  typed: TypedDonation,
  donation: CheckoutDonation,
): Promise<string> {
  const attempt = {
    visitor: typed.key,
    form: name,
    organization: session.organization,
    address: deps.address(c),
    // Submitting a page twice creates one payment page, and another one if the donation has changed.
    idempotencyKey: await contentHash([typed.key, donation]),
  };
  const honeypotFilled = typed.website !== '';
  const admission = await deps.guard.admit(attempt, { proof: undefined, honeypotFilled });
  const version = session.form.form_version ?? undefined;
  const body = { ...donation, ...returnUrls(address, session.form, donation) };
  return await sendDonation(deps, {
    form: { form: name, version },
    attempt,
    admission,
    prepare:
      ({ session: { id: embed_session_id } }) =>
      (api, options) =>
        findPaymentPage(api, { ...body, embed_session_id }, options),
  });
}

/** How many payment pages one submission can have. Each page replaces one that has expired. */
const MAX_PAYMENT_PAGES = 4;

/**
 * Finds the payment page of a form that may have been submitted before. A repeated request gets the
 * first response of the API. Its page may have expired since, because it accepts few declined cards, or
 * the donor may have paid.
 *
 * @returns where the donor goes: the payment page, or back if the donor has already paid
 * @throws {ConnectError} of the API; `rate_limited` after too many payment pages
 */
async function findPaymentPage(
  api: ConnectClient,
  body: CreateCheckoutSession,
  options: CallOptions,
): Promise<string> {
  for (let page = 0; page < MAX_PAYMENT_PAGES; page += 1) {
    const idempotencyKey = page ? `${options.idempotencyKey}-${page}` : options.idempotencyKey;
    let isReplayed = false;
    const onHeaders = (headers: ResponseHeaders) => {
      isReplayed = headers.has('idempotent-replayed');
      options.onHeaders?.(headers);
    };
    const created = await retryWhileInUse(() =>
      api.createCheckoutSession(body, { ...options, idempotencyKey, onHeaders }),
    );
    const session = isReplayed ? await api.getCheckoutSession(created.id) : created;
    if (session.url !== null) return session.url;
    if (session.status === 'complete')
      return body.success_url
        .replaceAll('{REFERENCE}', session.reference)
        .replaceAll('{CHECKOUT_SESSION_ID}', session.id);
  }
  // With this code it does not delay the requests of other donors, as a limit of the API does.
  throw new ConnectError('rate_limited', 'Too many payment pages of this form have expired.', {
    code: 'card_limit_reached',
  });
}

/** How often a submission waits, a second each time, for an earlier one: the donor has clicked twice. */
const MAX_WAITS = 4;

/** Repeats a request while another one with the same idempotency key is in progress. */
async function retryWhileInUse<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await send();
    } catch (error) {
      const isInUse = error instanceof ConnectError && error.code === 'idempotency_key_in_use';
      if (!isInUse || waits === MAX_WAITS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** Returns where the donor comes back to. The addresses contain no data of the donor. */
function returnUrls(address: string, { terms, currency }: EmbedForm, donation: CheckoutDonation) {
  const { amount_cents, fee_cover_cents = 0, fund_id } = donation;
  const amount = decimalText(amount_cents - fee_cover_cents, currencyDecimals(currency));
  const selection = new URLSearchParams({ amount, ...(fund_id && { fund: fund_id }) });
  return {
    success_url: terms.success_url ?? `${address}?thanks={CHECKOUT_SESSION_ID}`,
    cancel_url: `${address}?${selection}`,
  };
}

/** Returns the message for an error that does not concern a field. */
function noticeOf(error: ConnectError, { translator, formTranslator }: Submission): string {
  const { translate } = formTranslator;
  if (error.type === 'proof_required') return translator.translate('checkNeedsScript');
  if (error.type === 'rate_limited') return `${translate('busy')} ${translate('later')}`;
  if (error.code === 'form_closed') return translate('formClosedMeanwhile');
  if (error.code === 'campaign_ended') return translate('campaignEndedMeanwhile');
  return translate(statusOf(error) < 500 ? 'refused' : 'unreachable');
}
