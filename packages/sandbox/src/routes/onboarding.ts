import { type Context, Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { html } from 'hono/html';
import {
  ONBOARDING_OUTCOMES,
  type OnboardingOutcome,
  type AccountLink,
  changeAccount,
  findAccountLink,
} from '../accounts.ts';
import type { Env } from '../env.ts';
import { type Account, PLATFORM_ACCOUNT } from '../stripe-types.ts';
import { pageLedger } from './page-ledger.ts';

/** Outcome, label and description of each button. */
const OUTCOME_CHOICES: readonly [OnboardingOutcome, string, string][] = [
  ['complete', 'Complete everything', 'Charges and payouts are enabled.'],
  ['no_payouts', 'Leave out the bank account', 'Charges are enabled, payouts are not.'],
  [
    'review',
    'Submit for review',
    'Everything is submitted; nothing is enabled until the review ends.',
  ],
  ['restrict', 'Fail verification', 'A document is required; nothing is enabled.'],
];

/** `/onboarding/…`: stands in for Stripe's onboarding page of connected accounts. */
export const onboarding = () =>
  new Hono<Env>()
    .use(csrf())
    .get('/:account/:token', (c) => {
      const { account, link } = accountLinkOf(c);
      c.header('content-security-policy', `default-src 'none'; style-src 'self'; base-uri 'none'`);
      c.header('referrer-policy', 'no-referrer');
      if (isExpired(c, link)) return c.redirect(link.refresh_url, 303);
      return c.html(renderPage(account, link));
    })
    .post('/:account/:token', async (c) => {
      const { end } = await c.req.parseBody();
      const { account, link } = accountLinkOf(c);
      const now = c.var.deps.clock.now();
      if (isExpired(c, link)) return c.redirect(link.refresh_url, 303);
      const choice =
        typeof end === 'string' &&
        Object.hasOwn(ONBOARDING_OUTCOMES, end) &&
        ONBOARDING_OUTCOMES[end as OnboardingOutcome];
      if (choice) {
        await c.var.deps.groupCommit.run(() => {
          const ledger = platformLedger(c);
          changeAccount(ledger, choice(account, now));
          ledger.setHidden(account.id, { link: { expires_at: 0 } });
        });
      }
      return c.redirect(link.return_url, 303);
    });

const platformLedger = (c: Context<Env>) => pageLedger(c, PLATFORM_ACCOUNT);

const accountLinkOf = (c: Context<Env>) =>
  findAccountLink(platformLedger(c), c.req.param('account') ?? '', c.req.param('token') ?? '');

const isExpired = (c: Context<Env>, link: AccountLink) => link.expires_at < c.var.deps.clock.now();

const renderPage = (account: Account, link: AccountLink) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Set up payments · Sandbox</title>
        <link rel="stylesheet" href="/home.css" />
      </head>
      <body>
        <header>
          <h1>Set up payments <span class="badge">TEST</span></h1>
          <p>
            At Stripe, ${account.business_profile?.name ?? account.id} would now enter its identity
            and bank account. Here you choose the outcome.
          </p>
        </header>
        <main>
          <form method="post" class="choices">
            ${OUTCOME_CHOICES.map(
              ([end, label, explanation]) =>
                html`<button name="end" value="${end}">
                  <strong>${label}</strong> <span>${explanation}</span>
                </button>`,
            )}
          </form>
          <p><a href="${link.return_url}">Return without finishing</a></p>
        </main>
      </body>
    </html>`;
