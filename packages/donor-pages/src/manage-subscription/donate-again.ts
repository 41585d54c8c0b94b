import {
  completeTerms,
  ConnectError,
  MAX_DONATION_CENTS,
  MIN_DONATION_CENTS,
  SESSION_LIFETIME_SECONDS,
  type DonationTermsInput,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import { findOpenForm } from '@connect-embed/api/db/open-form';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import { EMBED_SESSION_PREFIX } from '@connect-embed/api/http/credential';
import type { StoredTerms } from '@connect-embed/api/db/column-types';
import type { Db } from '@connect-embed/api/db/schema';
import type { Deps } from '../deps.ts';
import { findOpenTarget } from '@connect-embed/api/payments/donation-target';
import { hashToken, newId, newToken } from '@connect-embed/api/lib/id';
import { isAllowedAmount, decodeAmounts } from '@connect-embed/api/payments/subscriptions/amounts';
import {
  findMethodChoice,
  loadPlanMethodTypes,
} from '@connect-embed/api/payments/subscriptions/plan-methods';
import { decodeFeeCover } from '@connect-embed/api/payments/subscriptions/fee-cover';
import { amountPartsOf } from './actions.ts';
import type { ManagedSubscription } from './find-subscription.ts';

/** The credential that an embed session belongs to: an API key or an OAuth grant. */
type SessionOwner = { api_key_id: string; grant_id: null } | { api_key_id: null; grant_id: string };

/**
 * Finds a credential that can open a form for the donor of an ended subscription: the API key that
 * created the subscription, another key of the organization, or a connected app that may take
 * donations.
 *
 * @returns undefined if the organization has no credential that may take donations
 */
export async function findSessionOwner(
  db: Db,
  { row }: ManagedSubscription,
): Promise<SessionOwner | undefined> {
  const key = await forOrganization(db, row.organization_id)
    .selectFrom('api_key')
    .select('id')
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`'payments:write' = any(scopes)`)
    .orderBy((eb) => eb('id', '=', row.source_id), 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (key) return { api_key_id: key.id, grant_id: null };
  const grant = await db
    .selectFrom('oauth_grant')
    .innerJoin('oauth_connection', 'oauth_connection.id', 'oauth_grant.connection_id')
    .select('oauth_grant.id')
    .where('oauth_connection.organization_id', '=', row.organization_id)
    .where('oauth_connection.revoked_at', 'is', null)
    .where(sql<boolean>`'payments:write' = any(oauth_grant.scopes)`)
    .orderBy('oauth_grant.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return grant && { api_key_id: null, grant_id: grant.id };
}

/**
 * Creates an embed session for the hosted donation page with the terms of the subscription: fund,
 * campaign, amounts, fee cover and payment methods. It contains no data of the donor, because other people may see
 * the URL of that page.
 *
 * @returns the URL of the hosted page
 */
export async function createEmbedSession(
  deps: Pick<Deps, 'db' | 'processor' | 'baseUrl'>,
  subscription: ManagedSubscription,
  owner: SessionOwner,
): Promise<string> {
  const { db, baseUrl } = deps;
  const { organization_id, form_id } = subscription.row;
  const terms = completeTerms(await loadTerms(db, subscription), {
    min: MIN_DONATION_CENTS,
    max: MAX_DONATION_CENTS,
  });
  const form = form_id && (await findOpenForm(db, organization_id, form_id));
  const id = newId('es');
  await forOrganization(db, organization_id)
    .insertInto('embed_session', {
      id,
      ...owner,
      // An email about a returned payment links the page of this form.
      form_id: form ? form.id : null,
      token_hash: hashToken(newToken(EMBED_SESSION_PREFIX)),
      terms: JSON.stringify({
        ...terms,
        origins: [],
        offered_method_types: await loadPlanMethodTypes(deps, subscription.row),
      } satisfies StoredTerms),
      prefill: JSON.stringify({}),
      expires_at: new Date(Date.now() + SESSION_LIFETIME_SECONDS * 1000),
    })
    .execute();
  return `${baseUrl}/embed/${id}`;
}

async function loadTerms(db: Db, subscription: ManagedSubscription): Promise<DonationTermsInput> {
  const { row } = subscription;
  const amounts = decodeAmounts(row.amounts);
  const { donationCents } = amountPartsOf(subscription);
  const rate = decodeFeeCover(row.fee_cover);
  return {
    ...(await findActiveTarget(db, subscription)),
    frequencies: ['one_time', row.frequency],
    ...('choices' in amounts
      ? { amount_locked: true, preset_amounts_cents: amounts.choices }
      : { min_amount_cents: amounts.min, max_amount_cents: amounts.max }),
    ...(isAllowedAmount(amounts, donationCents) && { default_amount_cents: donationCents }),
    ...(rate && { fee_cover: 'preselected' as const, ...rate }),
    payment_method_types: await findMethodChoice(db, row),
  };
}

/**
 * Returns the fund and campaign of the subscription, or an empty object if they no longer accept
 * donations.
 */
async function findActiveTarget(db: Db, { row }: ManagedSubscription): Promise<DonationTermsInput> {
  const { organization_id, fund_id, campaign_id } = row;
  const target = { ...(fund_id && { fund_id }), ...(campaign_id && { campaign_id }) };
  try {
    await findOpenTarget(db, organization_id, target);
    return target;
  } catch (error) {
    if (
      error instanceof ConnectError &&
      (error.type === 'invalid_request' || error.code === 'campaign_ended')
    )
      return {};
    throw error;
  }
}
