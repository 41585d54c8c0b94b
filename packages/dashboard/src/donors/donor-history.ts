import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Database, Db } from '@connect-embed/api/db/schema';
import type { DonorChangeDetails } from '@connect-embed/api/db/column-types';
import type { EmailKind } from '@connect-embed/api/db/column-types';
import { isMailOf, type DonorRow } from '@connect-embed/api/payments/donors/find-donor';
import type { Html } from '@connect-embed/api/lib/html';
import { exactTimeElement } from '../pages/dashboard-layout.ts';

/** Maximum number of entries. Emails are in the history for 30 days. */
const MAX_ENTRIES = 100;

/** Loads what members did with the record of a donor, with their names, newest first. */
const loadChanges = (db: Db, { id, organization_id }: DonorRow) =>
  forOrganization(db, organization_id)
    .selectFrom('donor_change')
    .leftJoin('person', 'person.id', 'donor_change.person_id')
    .leftJoin('donation', 'donation.id', 'donor_change.donation_id')
    .where('donor_change.donor_id', '=', id)
    .orderBy('donor_change.created_at', 'desc')
    .limit(MAX_ENTRIES)
    .selectAll('donor_change')
    .select(['person.name as person_name', 'donation.reference'])
    .execute();

type Change = Awaited<ReturnType<typeof loadChanges>>[number];

/** Loads the emails about the donor's donations and recurring donations, newest first. */
const loadEmails = (db: Db, donor: DonorRow) =>
  forOrganization(db, donor.organization_id)
    .selectFrom('mail')
    .leftJoin('donation', 'donation.id', 'mail.donation_id')
    .where(isMailOf(donor))
    .orderBy('mail.created_at', 'desc')
    .limit(MAX_ENTRIES)
    .select([
      'mail.kind',
      'mail.status',
      'mail.sent_at',
      'mail.created_at',
      'mail.donation_id',
      'donation.reference',
    ])
    .execute();

type SentEmail = Awaited<ReturnType<typeof loadEmails>>[number];

/** @param withEmails false for a member who may not read donations */
export async function loadDonorHistory(db: Db, donor: DonorRow, withEmails: boolean) {
  const [changes, emails] = await Promise.all([
    loadChanges(db, donor),
    withEmails ? loadEmails(db, donor) : [],
  ]);
  return { changes, emails };
}

/** Renders the history as one list, newest first. */
export function historyView(
  donor: Selectable<Database['donor']>,
  { changes, emails }: Awaited<ReturnType<typeof loadDonorHistory>>,
  { organization, timeZone }: { organization: string; timeZone: string },
): Html {
  const entries = [
    ...changes.map((change) => ({ at: change.created_at, text: changeText(change, organization) })),
    ...emails.map((email) => ({
      at: email.sent_at ?? email.created_at,
      text: emailText(email, organization),
    })),
    { at: donor.created_at, text: html`Donor added` },
  ].sort((a, b) => b.at.getTime() - a.at.getTime());
  return html`<section class="panel" aria-labelledby="history">
    <h2 id="history">History</h2>
    <ol class="timeline">
      ${entries.slice(0, MAX_ENTRIES).map(
        ({ at, text }) =>
          html`<li>
            <p>${text}</p>
            <p class="small muted">${exactTimeElement(at, timeZone)}</p>
          </li>`,
      )}
    </ol>
  </section>`;
}

function changeText(change: Change, organization: string): Html {
  const by = change.person_name ?? 'a former member';
  switch (change.type) {
    case 'corrected':
      return html`Corrected by ${by}: ${correctionText(change.details)}`;
    case 'receipt_sent':
      return html`Receipt requested again by ${by}
      ${donationLink(organization, change.donation_id, change.reference)}`;
    case 'exported':
      return html`Data exported by ${by}`;
    case 'merged':
      return html`Merged by ${by}: ${mergedText(change.details)}`;
    case 'erased':
      return html`Data erased by ${by}${change.details.kept_at_stripe && ', but not at Stripe'}`;
  }
}

function correctionText({ name, email }: DonorChangeDetails): string {
  const part = (label: string, values: DonorChangeDetails['name']) =>
    values ? [`${label} “${values.before ?? ''}” to “${values.after ?? ''}”`] : [];
  const parts = [...part('name', name), ...part('email', email)];
  return parts.length > 0 ? parts.join(', ') : 'values erased';
}

const mergedText = ({ merged }: DonorChangeDetails) =>
  merged ? [merged.name, merged.email, merged.id].filter(Boolean).join(', ') : 'values erased';

const donationLink = (organization: string, id: string | null, reference: string | null) =>
  id && html`(<a href="${organization}/donations/${id}">${reference ?? 'donation'}</a>)`;

function emailText(email: SentEmail, organization: string): Html {
  const { kind, status, donation_id, reference } = email;
  return html`Email: ${EMAIL_LABELS[kind]}, ${EMAIL_STATUSES[status]}
  ${donationLink(organization, donation_id, reference)}`;
}

const EMAIL_STATUSES = { pending: 'waiting to be sent', sent: 'sent', failed: 'not delivered' };

const EMAIL_LABELS: Record<EmailKind, string> = {
  receipt: 'receipt',
  refund: 'refund',
  plan_amount: 'amount of the recurring donation changed',
  plan_card: 'card of the recurring donation changed',
  plan_paused: 'recurring donation paused',
  plan_resumed: 'recurring donation resumed',
  plan_canceled: 'recurring donation ended',
  plan_failed: 'payment of the recurring donation failed',
  donation_processing: 'donation on its way',
  donation_returned: 'donation returned by the bank',
  plan_first_failed: 'first payment of the recurring donation returned by the bank',
  plan_method_lost: 'bank account of the recurring donation can no longer be charged',
  plan_link: 'link to manage the recurring donation',
  card_testing: 'warning about card testing',
  site_request: 'request to allow a website',
};
