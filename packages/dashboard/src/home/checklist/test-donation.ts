import { Hono } from 'hono';
import { html } from 'hono/html';
import { findLivemode } from '@connect-embed/api/payments/own-keys/stored-keys';
import type { Html } from '@connect-embed/api/lib/html';
import type { Deps } from '../../pages/deps.ts';
import type { DashboardEnv } from '../../pages/env.ts';
import { findOwnServer } from '@connect-embed/api/db/own-server';
import { organizationPath, renderPage } from '../../pages/render-page.ts';
import { facts } from '../../pages/table.ts';
import { loadProgress } from './progress.ts';

/** Page that leads to the real form, and says which card to use. */
export const testDonation = (deps: Deps) =>
  new Hono<DashboardEnv>().get('/', async (c) => {
    const { db, processor } = deps;
    const { organizationId } = c.var.organization;
    const [{ formSlug, isPublished }, livemode, server] = await Promise.all([
      loadProgress(db, organizationId),
      findLivemode(db, organizationId),
      findOwnServer(deps, organizationId),
    ]);
    const isLive = livemode ?? processor.livemode;
    const content =
      isPublished && formSlug && server
        ? html`${isLive ? LIVE : TEST}
            <p>
              <a class="button" href="${server}/give/${formSlug}" target="_blank" rel="noopener"
                >Open the form<span class="hidden"> in a new tab</span></a
              >
            </p>
            <p class="muted">
              The donation appears under
              <a href="${organizationPath(c, '/donations')}">Donations</a>
              within a few seconds.
            </p>`
        : html`<p class="panel">
            Publish a form and connect your server first.
            <a href="${organizationPath(c, '')}">All steps</a>
          </p>`;
    return renderPage(c, { title: 'Make a test donation', content });
  });

const TEST: Html = html`<section class="panel" aria-labelledby="test-card">
  <h2 id="test-card">Use the test card</h2>
  <p>Your Stripe account is in test mode: no money moves. Real cards are declined.</p>
  ${facts([
    ['Card number', html`<code>4242 4242 4242 4242</code>`],
    ['Expiration date', 'Any date in the future'],
    ['Security code', 'Any three digits'],
  ])}
</section>`;

const LIVE: Html = html`<section class="panel" aria-labelledby="real-card">
  <h2 id="real-card">Your real card is charged</h2>
  <p>
    Your Stripe account is in live mode. Donate a small amount with your own card, then refund it
    under Donations. Stripe keeps its fee.
  </p>
</section>`;
