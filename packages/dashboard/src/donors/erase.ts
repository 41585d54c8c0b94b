import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import { eraseDonor } from '@connect-embed/api/payments/donors/erase-donor';
import { comparableText } from '@connect-embed/api/payments/donors/comparable-text';
import { exportDonor } from '@connect-embed/api/payments/donors/export-donor';
import type { DonorRow } from '@connect-embed/api/payments/donors/find-donor';
import type { Html } from '@connect-embed/api/lib/html';
import { checkbox, input } from '../pages/field-view.ts';
import { FormFields, readFields, type FormState } from '../pages/fields.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { renderPage } from '../pages/render-page.ts';
import { requireSecondFactor } from '../pages/require-second-factor.ts';
import { actingMember, donorLink, donorName, loadDonor } from '../pages/donor-in-path.ts';

/** The longest name of a donor is an email address. */
const MAX_NAME = 254;

/** Name of the checkbox that appears without access to Stripe. */
const EXCEPT_AT_STRIPE = 'except_at_stripe';

/** Routes that export and erase the data of a donor: docs/decisions/0101-donor-data.md */
export const donorData = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .post('/export', async (c) => {
      const donor = await loadDonor(c, deps);
      const data = await exportDonor(deps.db, actingMember(c), donor.id);
      c.header('Content-Disposition', `attachment; filename="${donor.id}.json"`);
      c.header('Cache-Control', 'no-store');
      return c.body(JSON.stringify(data, null, 2), 200, { 'Content-Type': 'application/json' });
    })
    .use('/erase', requireSecondFactor)
    .get('/erase', async (c) => renderForm(c, await loadDonor(c, deps), new FormFields()))
    .post('/erase', async (c) => {
      const donor = await loadDonor(c, deps);
      const fields = await readFields(c);
      checkName(fields, donor);
      const exceptAtStripe = fields.checked(EXCEPT_AT_STRIPE);
      const erased = await fields.submit(() =>
        eraseDonor(deps, actingMember(c), donor.id, { exceptAtStripe }),
      );
      if (!erased) return await renderForm(c, donor, fields);
      return await c.var.redirectWithFlash(donorLink(donor, c).href, {
        kind: 'success',
        text: erased.value
          ? 'The donor’s data was erased.'
          : 'The donor’s data was erased here. Erase it at Stripe, too.',
      });
    });

function checkName(fields: FormFields, donor: DonorRow): void {
  const typed = fields.text('name', MAX_NAME) ?? '';
  if (comparableText(typed) !== comparableText(donorName(donor)))
    fields.addError('name', `Enter “${donorName(donor)}”.`);
}

function renderForm(c: DashboardContext, donor: DonorRow, draft: FormState) {
  const backLink = donorLink(donor, c);
  const content = donor.erased_at
    ? html`<p class="panel">The data of this donor was already erased.</p>`
    : eraseForm(donor, draft, backLink.href);
  return renderPage(c, {
    title: `Erase the data of ${donorName(donor)}?`,
    backLink,
    content,
    problem: draft.rejection,
  });
}

const eraseForm = (donor: DonorRow, draft: FormState, cancelHref: string) =>
  html`<form method="post" class="panel" novalidate>
    <div class="two-columns">
      <div class="text">
        <h2>Will be erased</h2>
        <ul>
          <li>Name, email, phone and address, also in donations and event registrations</li>
          <li>Dedications and messages</li>
          <li>Names of guests in the donor’s registrations</li>
          <li>Notes of your team, and the notes of refunds</li>
          <li>
            Saved cards and the customer at Stripe, and the name and email that we saved with
            payments there
          </li>
          <li>Emails that were not sent yet, and links in earlier emails</li>
        </ul>
      </div>
      <div class="text">
        <h2>Will be kept</h2>
        <ul>
          <li>Amounts, dates, references, funds and campaigns of donations, as accounts require</li>
          <li>Refunds, disputes and payouts</li>
          <li>Seats and payments of event registrations</li>
          <li>
            Stripe’s own records of card payments, such as the billing name, and its invoices of
            recurring donations
          </li>
          <li>The name and email that Stripe has with payments that were started and never paid</li>
          <li>What your website, your accounting or a spreadsheet has copied, and backups</li>
        </ul>
      </div>
    </div>
    <p>
      Recurring donations end immediately. Receipts cannot be sent any more, and the donor can no
      longer be found by name or email. This cannot be undone. Export the data first if the donor
      asked for a copy.
    </p>
    ${input(draft, {
      name: 'name',
      label: `Enter “${donorName(donor)}” to confirm`,
      max: MAX_NAME,
      plain: true,
    })}
    ${stripeConfirmation(donor, draft)}
    <p class="buttons">
      <button class="danger last">Erase data</button>
      <a class="button secondary" href="${cancelHref}">Go back</a>
    </p>
  </form>`;

/** Renders the checkbox that confirms what stays at Stripe, after an attempt without access to it. */
function stripeConfirmation(donor: DonorRow, draft: FormState): Html | '' {
  if (!draft.problems.has(EXCEPT_AT_STRIPE) && draft.value(EXCEPT_AT_STRIPE) !== 'on') return '';
  return html`<div class="text">
      <h2>Will stay at Stripe</h2>
      <p>
        We have no access to the donor’s data at Stripe at the moment. Saved cards, the customer,
        and the name and email that we saved with payments stay there, and recurring donations
        continue. Restore the access under Payments, or erase the data at Stripe yourself: find the
        donor there by ${donor.email ? html`<strong>${donor.email}</strong>` : 'name'} first,
        because it will no longer be stored here.
      </p>
    </div>
    ${checkbox(draft, {
      name: EXCEPT_AT_STRIPE,
      label:
        'Erase the data here only. I will end the recurring donations and erase the data in the Stripe Dashboard.',
    })}`;
}
