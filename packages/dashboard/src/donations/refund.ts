import { ConnectError, formatMoney } from '@connect-embed/contract';
import { Hono } from 'hono';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Deps } from '../pages/deps.ts';
import { findById } from '@connect-embed/api/lib/id';
import { canRefund, refundDonation } from '@connect-embed/api/payments/refund-donation';
import type { RefundInput } from '@connect-embed/api/payments/refund-requests';
import { REFUND_REASONS } from '@connect-embed/api/payments/stripe/refunds';
import { LOCALE, messagePage } from '@connect-embed/api/http/page-shell';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { amountText, FormFields, readFields, type FormState } from '../pages/fields.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { requireSecondFactor } from '../pages/require-second-factor.ts';
import { MAX_NOTE, refundForm, type Refundable } from './refund-view.ts';

/** Dashboard pages at `…/donations/{id}/refund`, where members refund a donation. */
export const refund = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .use('/:id/refund', requireSecondFactor)
    .get('/:id/refund', async (c) => {
      const donation = await find(deps, c);
      if (!canRefund(c.var.organization)) return forbiddenPage(c, donation);
      const refundableCents = donation.amount_cents - donation.refunded_amount_cents;
      const draft = new URLSearchParams({
        amount: amountText(refundableCents, donation.currency),
        reason: 'requested_by_customer',
        returned_before: String(donation.refunded_amount_cents),
      });
      return renderRefundPage(c, donation, new FormFields(draft));
    })
    .post('/:id/refund', async (c) => {
      const donation = await find(deps, c);
      const fields = await readFields(c);
      const input = readRefundInput(fields, donation);
      const member = { ...c.var.organization, personId: c.var.pageContext.person.id };
      const submitted = await fields.submit(() =>
        refundDonation(deps, member, input).catch(throwRetryError),
      );
      if (!submitted) return renderRefundPage(c, donation, fields);
      const amount = formatMoney(submitted.value.amountCents, donation.currency, LOCALE);
      const text = `Refund of ${amount} started. The donor usually receives it in 5–10 days.`;
      return await c.var.redirectWithFlash(pathOf(c, donation), { kind: 'success', text });
    });

async function find({ db }: Deps, c: DashboardContext): Promise<Refundable> {
  const id = c.req.param('id') ?? '';
  return await findById(
    'donation',
    id,
    forOrganization(db, c.var.organization.organizationId)
      .selectFrom('donation')
      .selectAll()
      .where('id', '=', id),
  );
}

function readRefundInput(fields: FormFields, { id, currency }: Refundable): RefundInput {
  return {
    donationId: id,
    amountCents: fields.money('amount', currency, { min: 1 }) ?? 0,
    reason: fields.oneOf('reason', REFUND_REASONS),
    note: fields.multilineText('note', MAX_NOTE),
    refundedBeforeCents: Number(fields.value('returned_before') || Number.NaN),
  };
}

/**
 * Asks the person to submit the form again if Stripe is unavailable. It is then unknown whether the
 * refund was created. A second submission is safe, because it is recognized as the same refund.
 *
 * @throws {ConnectError} `conflict` with this message; any other error unchanged
 */
function throwRetryError(error: unknown): never {
  if (!(error instanceof ConnectError) || error.type !== 'unavailable') throw error;
  const text =
    'The card processor could not be reached. Press “Refund donation” again. The donor is refunded only once.';
  throw new ConnectError('conflict', text, { cause: error });
}

const pathOf = (c: DashboardContext, { id }: Refundable) => organizationPath(c, `/donations/${id}`);

function renderRefundPage(c: DashboardContext, donation: Refundable, draft: FormState) {
  const backLink = { href: pathOf(c, donation), text: 'Donation' };
  const content = refundForm(donation, c.var.organization, draft, backLink.href);
  return renderPage(c, { title: 'Refund donation', backLink, content, problem: draft.rejection });
}

function forbiddenPage(c: DashboardContext, donation: Refundable) {
  const text = 'Only owners and admins can refund a donation.';
  const backLink = { href: pathOf(c, donation), text: 'Back' };
  return c.html(messagePage('You do not have access', text, backLink), 403);
}
