import { sql } from 'kysely';
import type { Db } from '@connect-embed/api/db/schema';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { DonationRow } from './donation-table.ts';

export type DonationHistory = Awaited<ReturnType<typeof loadDonationHistory>>;

/**
 * Loads the records related to a donation: payment intent, refunds, disputes, payouts, emails and
 * the credential that created it.
 */
export async function loadDonationHistory(db: Db, donation: DonationRow) {
  const organization = forOrganization(db, donation.organization_id);
  const { id, campaign_id, form_id, source_id, processor_payment_intent_id: intentId } = donation;
  const [campaign, form, intent, refunds, disputes, payouts, origin, emails] = await Promise.all([
    campaign_id
      ? organization
          .selectFrom('campaign')
          .select('name')
          .where('id', '=', campaign_id)
          .executeTakeFirst()
      : undefined,
    form_id
      ? organization.selectFrom('form').select('name').where('id', '=', form_id).executeTakeFirst()
      : undefined,
    intentId
      ? organization
          .selectFrom('payment_intent')
          .selectAll()
          .where('id', '=', intentId)
          .executeTakeFirst()
      : undefined,
    organization
      .selectFrom('refund')
      .selectAll()
      .where('donation_id', '=', id)
      .where('processor_refund_id', 'is not', null)
      .$narrowType<{ processor_refund_id: string }>()
      .orderBy('created_at')
      .execute(),
    organization
      .selectFrom('donation_dispute')
      .selectAll()
      .where('donation_id', '=', id)
      .orderBy('created_at')
      .execute(),
    payoutsOf(db, donation),
    source_id ? findSourceName(db, donation.organization_id, source_id) : undefined,
    organization
      .selectFrom('mail')
      .select(['id', 'kind', 'status', 'sent_at', 'created_at'])
      .where('donation_id', '=', id)
      .orderBy('created_at')
      .execute(),
  ]);
  return { campaign, form, intent, refunds, disputes, payouts, origin, emails };
}

const payoutsOf = (db: Db, donation: DonationRow) =>
  forOrganization(db, donation.organization_id)
    .selectFrom('balance_transaction')
    .innerJoin('payout', 'payout.id', 'balance_transaction.payout_id')
    .where(({ or, eb }) =>
      or([
        eb('balance_transaction.donation_id', '=', donation.id),
        eb(
          'balance_transaction.processor_payment_intent_id',
          '=',
          donation.processor_payment_intent_id,
        ),
      ]),
    )
    .select([
      'payout.id',
      'payout.arrival_date',
      'payout.status',
      'payout.livemode',
      'balance_transaction.amount_cents',
      'balance_transaction.currency',
      'balance_transaction.reporting_category',
      sql.val(donation.id).as('donation_id'),
    ])
    .orderBy('balance_transaction.created_at')
    .execute();

/**
 * Finds the name of the API key or OAuth app that created a donation. The `source_id` of the
 * donation can come from Stripe metadata, which people can edit at Stripe, so it may be the id of
 * any record.
 *
 * @returns undefined if the key or app was deleted or belongs to another organization
 */
async function findSourceName(
  db: Db,
  organizationId: string,
  sourceId: string,
): Promise<string | undefined> {
  const session = await forOrganization(db, organizationId)
    .selectFrom('embed_session')
    .leftJoin('oauth_grant', 'oauth_grant.id', 'embed_session.grant_id')
    .where('embed_session.id', '=', sourceId)
    .select(['embed_session.api_key_id', 'oauth_grant.connection_id'])
    .executeTakeFirst();
  const id = session?.api_key_id ?? session?.connection_id ?? sourceId;
  const key = await forOrganization(db, organizationId)
    .selectFrom('api_key')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirst();
  if (key) return `API key ${key.name}`;
  const app = await forOrganization(db, organizationId)
    .selectFrom('oauth_connection')
    .innerJoin('oauth_app', 'oauth_app.id', 'oauth_connection.app_id')
    .where('oauth_connection.id', '=', id)
    .select('oauth_app.name')
    .executeTakeFirst();
  return app && `app ${app.name}`;
}
