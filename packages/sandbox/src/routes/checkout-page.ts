import { type Context, Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { html } from 'hono/html';
import { typedCardAttempt } from '../attempt-payment.ts';
import type { CardInput } from '../cards.ts';
import { payCheckout, type HiddenCheckout } from '../checkout.ts';
import { sql } from '../database.ts';
import type { Env } from '../env.ts';
import type { Ledger } from '../ledger.ts';
import { formatMoney } from '../money.ts';
import { resourceMissingError, StripeError } from '../stripe-error.ts';
import type { CheckoutSession } from '../stripe-types.ts';
import { pageLedger } from './page-ledger.ts';
import { toBillingDetails } from './payment-intent-params.ts';

/** `/checkout/…`: stands in for Stripe's hosted payment page. It works without scripts. */
export const checkoutPage = () =>
  new Hono<Env>()
    .use(csrf())
    .get('/:id', (c) => {
      const { ledger, session } = sessionOf(c);
      return respond(c, ledger, session);
    })
    .post('/:id', async (c) => {
      const form = (await c.req.parseBody()) as Record<string, string>;
      const { ledger, session } = sessionOf(c);
      if (session.status !== 'open') return respond(c, ledger, session);
      const problem = await c.var.deps.groupCommit.run(() =>
        // Another request may have paid it since.
        pay(ledger, ledger.find('checkout.session', session.id), form),
      );
      return problem === undefined
        ? c.redirect(session.success_url!.replace('{CHECKOUT_SESSION_ID}', session.id), 303)
        : respond(c, ledger, session, problem);
    });

/** The id of a session cannot be guessed, so it is the only credential of the page, as at Stripe. */
function sessionOf(c: Context<Env>) {
  const id = c.req.param('id') ?? '';
  const query = "select account from object where id = ? and kind = 'checkout.session'";
  const row = sql(c.var.deps.db, query).get(id);
  if (!row) throw resourceMissingError('checkout.session', id);
  const ledger = pageLedger(c, String(row['account']));
  return { ledger, session: ledger.find('checkout.session', id) };
}

/** Pays with the card of the form. Returns the problem in a sentence; undefined if it was paid. */
function pay(
  ledger: Ledger,
  session: CheckoutSession,
  form: Record<string, string>,
): string | undefined {
  try {
    const billing = toBillingDetails({ email: session.customer_email ?? '' });
    const result = payCheckout(ledger, session, () =>
      typedCardAttempt(ledger, readCard(form), billing),
    );
    if (result.declined) return result.declined.message;
    if (result.intent.status === 'succeeded') return undefined;
    return 'The sandbox cannot authenticate cards on this page. Use another card.';
  } catch (error) {
    if (error instanceof StripeError) return error.error.message;
    throw error;
  }
}

function readCard({ number = '', expiry = '', cvc = '' }: Record<string, string>): CardInput {
  const [month = '', year = ''] = expiry.split('/').map((part) => part.trim());
  return {
    number: number.replaceAll(/[ -]/g, ''),
    exp_month: Number(month),
    exp_year: Number(year) < 100 ? Number(year) + 2000 : Number(year),
    cvc,
  };
}

function respond(c: Context<Env>, ledger: Ledger, session: CheckoutSession, problem?: string) {
  c.header(
    'content-security-policy',
    "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  c.header('referrer-policy', 'same-origin');
  c.header('cache-control', 'no-store');
  const { productName = '' } = ledger.hidden<HiddenCheckout>(session.id);
  return c.html(renderPage(session, productName, problem), problem === undefined ? 200 : 402);
}

const renderPage = (session: CheckoutSession, productName: string, problem?: string) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Pay · Sandbox</title>
        <link rel="stylesheet" href="/home.css" />
      </head>
      <body>
        <header>
          <h1>${productName} <span class="badge">TEST</span></h1>
          <p>
            ${formatMoney(session.amount_total!, session.currency!)}. At Stripe, this page would be
            Checkout. No money moves.
          </p>
        </header>
        <main>
          ${session.status === 'open' ? renderForm(session, problem) : renderEnded(session)}
          ${session.cancel_url ? html`<p><a href="${session.cancel_url}">Back</a></p>` : ''}
        </main>
      </body>
    </html>`;

const renderForm = (session: CheckoutSession, problem?: string) =>
  html`<form method="post" class="choices">
    ${problem === undefined ? '' : html`<p class="failed" role="alert">${problem}</p>`}
    ${session.customer_email ? html`<p>Receipt for ${session.customer_email}</p>` : ''}
    <label>
      Card number
      <input name="number" inputmode="numeric" autocomplete="off" required />
    </label>
    <label>Expiration (MM / YY) <input name="expiry" autocomplete="off" required /></label>
    <label
      >Security code <input name="cvc" inputmode="numeric" autocomplete="off" required
    /></label>
    <button>${session.submit_type === 'donate' ? 'Donate' : 'Pay'}</button>
  </form>`;

const renderEnded = ({ status }: CheckoutSession) =>
  html`<p>
    ${status === 'complete' ? 'This payment was completed.' : 'This page has expired. Nothing was charged.'}
  </p>`;
