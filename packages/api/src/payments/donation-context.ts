import {
  ConnectError,
  DonationTerms,
  invalidRequest,
  type CreatePaymentIntent,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import type { ValueOf } from '../db/prepared.ts';
import type { Db } from '../db/schema.ts';
import type { Credential } from '../http/credential.ts';
import { isId } from '../lib/id.ts';
import type { WorkerDeps } from './deps.ts';
import { IS_CAMPAIGN_OPEN } from './donation-target.ts';
import { METHOD_COLUMNS, offeredMethodTypes } from './payment-method-types.ts';
import { STORED_KEY_COLUMNS } from './own-keys/stored-keys.ts';
import { selectAttackUntil } from './fraud/attack-mode.ts';

type RequestedIds = Pick<CreatePaymentIntent, 'embed_session_id' | 'fund_id'>;

/** Parameters of the statement. Null finds no row. */
interface LookupIds {
  organization_id: string;
  session_id: string | null;
  fund_id: string | null;
}

type ContextRow = Awaited<ReturnType<ReturnType<typeof selectContext>['execute']>>[number];

export type DonationContext = Awaited<ReturnType<ReturnType<typeof createDonationContextLoader>>>;

/**
 * Creates a function that loads, in one statement, the data that decides whether a donation is
 * accepted: the organization's Stripe account with its own keys, the embed session, the fund and
 * campaign, and the end of a card-testing attack. The statement is prepared, because planning its joins
 * takes about ten times as long as executing them.
 *
 * The function returns `account`, the stored state of the organization's Stripe account; `offeredMethodTypes`, the
 * payment methods of the session, or else of the organization, undefined if that state is not stored; and `fund` and
 * `campaign` of the session's terms, or else of the request, which may be archived or have ended. It throws
 * `not_found` if the form is closed, and `invalid_request` with param `embed_session_id` if the session has expired
 * or is not the caller's.
 */
export function createDonationContextLoader(deps: Pick<WorkerDeps, 'prepare' | 'storedKeys'>) {
  const executeSelect = deps.prepare<ContextRow, LookupIds>(
    (value, db) => sql`${selectContext(value, db)}`,
  );
  return async ({ id, kind, organization }: Credential, requested: RequestedIds) => {
    const ownSessionId = kind === 'embed_session' ? id : undefined;
    const sessionId = requested.embed_session_id ?? ownSessionId;
    const mayUseSession = ownSessionId === undefined || ownSessionId === sessionId;
    const rows = await executeSelect({
      organization_id: organization.id,
      session_id: idOrNull(mayUseSession ? sessionId : undefined),
      fund_id: idOrNull(requested.fund_id),
    });
    const row = rows[0]!; // The organization of a credential exists.
    const { processorAccountId } = organization;
    if (processorAccountId) await deps.storedKeys.remember(processorAccountId, row);
    if (sessionId !== undefined && row.session_id === null) {
      throw invalidRequest(
        'embed_session_id',
        'has expired, or does not belong to this credential.',
        { code: 'embed_session_expired' },
      );
    }
    if (row.form_closed_at) {
      const message = 'This form is closed. You were not charged.';
      throw new ConnectError('not_found', message, { code: 'form_closed' });
    }
    return {
      account: { charges_enabled: row.charges_enabled, fetched_at: row.fetched_at },
      session: row.session_id
        ? {
            id: row.session_id,
            terms: DonationTerms.parse(row.terms),
            formId: row.form_id ?? undefined,
            formName: row.form_name ?? undefined,
          }
        : undefined,
      offeredMethodTypes:
        row.terms?.offered_method_types ??
        (row.enabled_methods ? offeredMethodTypes(organization, row) : undefined),
      fund: row.fund_id ? { id: row.fund_id, archived_at: row.fund_archived_at } : undefined,
      campaign: row.campaign_id
        ? {
            id: row.campaign_id,
            archived_at: row.campaign_archived_at,
            is_open: row.is_campaign_open,
          }
        : undefined,
      attackUntil: row.attack_until ?? undefined,
    };
  };
}

const selectContext = (value: ValueOf<LookupIds>, db: Db) =>
  db
    .selectFrom('organization')
    .leftJoin('processor_account as account', 'account.id', 'organization.processor_account_id')
    .leftJoin('stripe_key', 'stripe_key.organization_id', 'organization.id')
    .leftJoin('embed_session as session', (join) =>
      join
        .onRef('session.organization_id', '=', 'organization.id')
        .on('session.id', '=', value('session_id'))
        .on('session.expires_at', '>', sql<Date>`now()`),
    )
    .leftJoin('form', 'form.id', 'session.form_id')
    .leftJoin('fund', (join) =>
      join
        .onRef('fund.organization_id', '=', 'organization.id')
        // The terms of the session may fix the fund.
        .on(
          'fund.id',
          '=',
          sql<string>`coalesce(session.terms ->> 'fund_id', ${value('fund_id')})`,
        ),
    )
    .leftJoin('campaign', (join) =>
      join
        .onRef('campaign.organization_id', '=', 'organization.id')
        .on('campaign.id', '=', sql<string>`session.terms ->> 'campaign_id'`),
    )
    .where('organization.id', '=', value('organization_id'))
    .select([
      ...STORED_KEY_COLUMNS,
      ...METHOD_COLUMNS,
      'account.charges_enabled',
      'account.fetched_at',
      'session.id as session_id',
      'session.terms',
      'session.form_id',
      'session.form_name',
      'form.closed_at as form_closed_at',
    ])
    .select(['fund.id as fund_id', 'fund.archived_at as fund_archived_at'])
    .select(['campaign.id as campaign_id', 'campaign.archived_at as campaign_archived_at'])
    .select(IS_CAMPAIGN_OPEN.as('is_campaign_open'))
    .select(selectAttackUntil(db, value('organization_id')).as('attack_until'));

/** A text that is not an id must not reach the database. Null finds no row. */
const idOrNull = (id: string | undefined) => (id !== undefined && isId(id) ? id : null);
