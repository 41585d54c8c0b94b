import { type Context, Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { html } from 'hono/html';
import type { Env } from '../env.ts';
import { authenticateIntent } from '../intents.ts';
import { formatMoney } from '../money.ts';
import { CUSTOMER_DECLINE, findRedirectedIntent, returnUrlOf } from '../redirect.ts';
import { authenticateSetupIntent } from '../setup-intents.ts';
import type { PaymentIntent, SetupIntent } from '../stripe-types.ts';
import { pageLedger } from './page-ledger.ts';

/** `/redirect/…`: stands in for PayPal's page, on which a donor approves or cancels a payment. */
export const redirectPages = () =>
  new Hono<Env>()
    .use(csrf())
    .get('/:account/:intent/:token', (c) => {
      c.header('content-security-policy', `default-src 'none'; style-src 'self'; base-uri 'none'`);
      c.header('referrer-policy', 'no-referrer');
      c.header('cache-control', 'no-store');
      return c.html(renderPage(intentOf(c)));
    })
    .post('/:account/:intent/:token', async (c) => {
      const isApproved = (await c.req.parseBody())['choice'] === 'confirm';
      const url = await c.var.deps.groupCommit.run(() => {
        const intent = intentOf(c);
        const returnUrl = String(intent.next_action?.redirect_to_url?.return_url);
        const ledger = pageLedger(c, c.req.param('account'));
        if (intent.object === 'setup_intent')
          authenticateSetupIntent(ledger, intent, isApproved, CUSTOMER_DECLINE);
        else authenticateIntent(ledger, intent, isApproved, CUSTOMER_DECLINE);
        return returnUrlOf(intent, returnUrl, isApproved);
      });
      return c.redirect(url, 303);
    });

const intentOf = (c: Context<Env>) =>
  findRedirectedIntent(
    pageLedger(c, c.req.param('account') ?? ''),
    c.req.param('intent') ?? '',
    c.req.param('token') ?? '',
  );

const renderPage = (intent: PaymentIntent | SetupIntent) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>PayPal · Sandbox</title>
        <link rel="stylesheet" href="/home.css" />
      </head>
      <body>
        <header>
          <h1>PayPal <span class="badge">TEST</span></h1>
          <p>
            At PayPal, the donor would now sign in and
            ${
              intent.object === 'payment_intent'
                ? `approve the payment of ${formatMoney(intent.amount, intent.currency)}`
                : 'allow later payments'
            }.
            Here you choose the outcome. No money moves.
          </p>
        </header>
        <main>
          <form method="post" class="choices">
            <button name="choice" value="confirm">
              <strong>Confirm</strong> <span>The donor approves.</span>
            </button>
            <button name="choice" value="cancel">
              <strong>Cancel</strong> <span>The donor returns without paying.</span>
            </button>
          </form>
        </main>
      </body>
    </html>`;
