import type { DatabaseSync } from 'node:sqlite';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env } from '../app.ts';
import { MAGIC_CARDS } from '../cards.ts';

/** `/`: says what this is, to a person who followed the address in a log. */
export const home = () =>
  new Hono<Env>().get('/', (c) => {
    c.header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    return c.html(page(recentPayments(c.var.deps.db)));
  });

type Payment = {
  created: number;
  account: string;
  amount: number;
  currency: string;
  status: string;
  brand: string;
  last4: string;
};

/** Tried payments of all accounts, newest first: a charge exists once a card was tried. */
function recentPayments(db: DatabaseSync): Payment[] {
  return db
    .prepare(
      `select account, body ->> 'created' created, body ->> 'amount' amount,
         body ->> 'currency' currency, coalesce(body ->> 'failure_message', 'Succeeded') status,
         body ->> '$.payment_method_details.card.brand' brand,
         body ->> '$.payment_method_details.card.last4' last4
       from object where kind = 'charge' order by seq desc limit 25`,
    )
    .all() as unknown as Payment[];
}

function money({ amount, currency }: Payment) {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const inFours = (number: string) => number.replaceAll(/(.{4})(?=.)/g, '$1 ');
const when = (seconds: number) =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

const page = (payments: Payment[]) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Sandbox card processor</title>
        <link rel="stylesheet" href="/home.css" />
      </head>
      <body>
        <header>
          <h1>Sandbox card processor <span class="badge">TEST</span></h1>
          <p>
            Stands in for Stripe on your machine. It speaks Stripe's wire format, takes only the
            cards below, and no money moves.
          </p>
        </header>
        <main>
          <section aria-labelledby="cards">
            <h2 id="cards">Cards</h2>
            <p>Any date in the future, any security code.</p>
            <table>
              <thead>
                <tr>
                  <th scope="col">Number</th>
                  <th scope="col">What happens</th>
                </tr>
              </thead>
              <tbody>
                ${MAGIC_CARDS.map(
                  (card) =>
                    html`<tr>
                      <td><code>${inFours(card.number)}</code></td>
                      <td>${card.shows}</td>
                    </tr>`,
                )}
                <tr>
                  <td>Any other card</td>
                  <td>Declined: not a test card</td>
                </tr>
              </tbody>
            </table>
          </section>
          <section aria-labelledby="payments">
            <h2 id="payments">Recent payments</h2>
            ${payments.length ? paymentTable(payments) : html`<p class="empty">None yet.</p>`}
          </section>
        </main>
      </body>
    </html>`;

const paymentTable = (payments: Payment[]) =>
  html`<div class="scroll" role="group" aria-label="Payments, scrolling sideways" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          <th scope="col" class="number">Amount</th>
          <th scope="col">Card</th>
          <th scope="col">Result</th>
          <th scope="col">Account</th>
        </tr>
      </thead>
      <tbody>
        ${payments.map(
          (payment) =>
            html`<tr>
              <td>${when(payment.created)}</td>
              <td class="number">${money(payment)}</td>
              <td class="card">${payment.brand} •••• ${payment.last4}</td>
              <td>${payment.status}</td>
              <td><code>${payment.account}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
