import {
  completeTerms,
  ConnectError,
  CreateEmbedSession,
  DonationTerms,
  invalidRequest,
  DONATION_BOUNDS_CENTS,
  SESSION_LIFETIME_SECONDS,
  type EmbedForm,
  type EmbedSession,
  type FormPresentation,
  type Prefill,
} from '@connect-embed/contract';
import { jsonBody, NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { canSendMail } from '../config.ts';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import type { CredentialOrganization } from '../http/credential-organization.ts';
import { EMBED_SESSION_PREFIX, type Credential } from '../http/credential.ts';
import { requireScope } from '../auth/require-scope.ts';
import { logoPath } from '../db/find-logo.ts';
import { forOrganization } from '../db/organization-scope.ts';
import type { StoredTerms } from '../db/column-types.ts';
import type { Db } from '../db/schema.ts';
import { findFundChoices, findOpenTarget } from '../payments/donation-target.ts';
import { hashToken, newId, newToken } from '../lib/id.ts';
import { requireAccount } from '../payments/accounts.ts';
import { reportAttack } from '../payments/fraud/report-attack.ts';
import { addFormDomains } from '../payments/domains.ts';
import { loadOfferedMethodTypes } from '../payments/payment-method-types.ts';
import { listOrigins } from './allowed-sites/edit-sites.ts';
import { presentationOf } from './forms/presentation.ts';
import { findPublishedForm, findSettings } from './forms/published-form.ts';

/** What a session shows: the terms of a published form, or those in the request that created it. */
interface SessionForm {
  terms: DonationTerms;
  /** The payment methods that the form offers. */
  offeredMethodTypes: string[];
  /** Names of the fund and the campaign that the terms fix. */
  target: { fund_name: string | null; campaign_name: string | null };
  /** Absent without a published form. */
  presentation?: FormPresentation | undefined;
  prefill: Prefill;
  form_id: string | null;
  form_version: number | null;
}

/**
 * `POST /embed-sessions` creates a session that fixes the terms of a donation form for an hour
 * (spec: Embedding). `GET /embed-sessions/current` returns the form of the session whose token the
 * request has.
 */
export const embedSessions = (deps: RequestDeps) =>
  new Hono<Env>()
    .post(
      '/',
      requireScope('payments:write'),
      jsonBody(CreateEmbedSession, { mayBeEmpty: true }),
      async (c) => {
        await reportAttack(deps, c);
        return c.json(await createEmbedSession(deps, c.var.credential, c.req.valid('json')), 201);
      },
    )
    .get('/current', queryParams(NoQuery), async (c) =>
      c.json(await loadEmbedForm(deps, c.var.credential)),
    );

async function createEmbedSession(
  deps: RequestDeps,
  credential: Credential,
  { prefill = {}, origins = [], form_name, ...input }: CreateEmbedSession,
): Promise<EmbedSession> {
  const { db, baseUrl } = deps;
  const { id: organizationId } = credential.organization;
  if (input.form !== undefined && form_name !== undefined) {
    throw invalidRequest('form_name', 'cannot be combined with form, which has a page of its own.');
  }
  const resolved = await resolveForm(db, organizationId, input);
  const { terms, form_id, form_version } = resolved;
  const offeredMethodTypes = await loadOfferedMethodTypes(
    deps,
    credential.organization,
    terms.payment_method_types,
  );
  const form = { ...resolved, offeredMethodTypes, prefill };
  const { processorAccountId } = credential.organization;
  // The form is used for an hour, so it must not get a key that another process has just replaced.
  if (processorAccountId) deps.storedKeys.forget(processorAccountId);
  // Without an account at Stripe, the form cannot be shown yet.
  const embedForm =
    processorAccountId === null
      ? undefined
      : await describeForm(deps, credential.organization, form);
  const allowedOrigins = [...new Set([...origins, ...(await listOrigins(db, organizationId))])];
  await addFormDomains(db, organizationId, origins);
  const token = newToken(EMBED_SESSION_PREFIX);
  const session = {
    id: newId('es'),
    expires_at: new Date(Date.now() + SESSION_LIFETIME_SECONDS * 1000),
  };
  await forOrganization(db, organizationId)
    .insertInto('embed_session', {
      ...session,
      ...credential.revokedWith,
      form_id,
      form_version,
      form_name: form_name ?? null,
      token_hash: hashToken(token),
      // They stay the same for the session, so that the payment intents have those that the form shows.
      terms: JSON.stringify({
        ...terms,
        origins: allowedOrigins,
        offered_method_types: offeredMethodTypes,
      } satisfies StoredTerms),
      prefill: JSON.stringify(prefill),
    })
    .execute();
  if (form.form_id !== null) await recordFormShown(db, organizationId);
  return {
    ...session,
    object: 'embed_session',
    organization_id: organizationId,
    session_token: token,
    embed_url: `${baseUrl}/embed/${session.id}`,
    expires_at: session.expires_at.toISOString(),
    ...(embedForm && { form: embedForm }),
  };
}

/** Sessions are deleted after a day; the checklist must remember that there was one. */
const recordFormShown = (db: Db, organizationId: string) =>
  db
    .updateTable('organization')
    .set({ form_shown_at: new Date() })
    .where('id', '=', organizationId)
    .where('form_shown_at', 'is', null)
    .execute();

/**
 * Returns what a new session shows: a published form, or the terms in the request.
 *
 * @throws {ConnectError} `not_found` naming `form` or with code `campaign_ended`, or `invalid_request` naming
 *   the field
 */
async function resolveForm(
  db: Db,
  organizationId: string,
  {
    form: slug,
    form_version,
    ...input
  }: Omit<CreateEmbedSession, 'prefill' | 'origins' | 'form_name'>,
): Promise<Omit<SessionForm, 'prefill' | 'offeredMethodTypes'>> {
  if (slug !== undefined) {
    const [field] = Object.keys(input);
    if (field) throw invalidRequest(field, 'cannot be combined with form, which fixes the terms.');
    const published = await findPublishedForm(db, organizationId, slug, form_version);
    const { id, version, settings } = published;
    const { terms } = settings;
    const target = await findOpenTarget(db, organizationId, terms);
    const presentation = presentationOf(settings);
    return { form_id: id, form_version: version, terms, target, presentation };
  }
  if (form_version !== undefined) throw invalidRequest('form_version', 'requires form.');
  const funds = await findFundChoices(db, organizationId, input.fund_choice_ids);
  const terms = completeTerms(input, DONATION_BOUNDS_CENTS, funds);
  const target = await findOpenTarget(db, organizationId, terms);
  return { form_id: null, form_version: null, terms, target };
}

/**
 * Loads the data that a donation form needs to render an embed session.
 *
 * @throws {ConnectError} `forbidden` if the credential is not an embed session; `invalid_request` if
 *   the fund or campaign of the terms is archived; `not_found` if the campaign has ended; `conflict` if the organization has no account at Stripe
 */
export async function loadEmbedForm(deps: RequestDeps, credential: Credential): Promise<EmbedForm> {
  if (credential.kind !== 'embed_session') {
    throw new ConnectError('forbidden', "This request requires an embed session's own token.");
  }
  const row = await forOrganization(deps.db, credential.organization.id)
    .selectFrom('embed_session')
    .select(['terms', 'prefill', 'form_id', 'form_version'])
    .where('id', '=', credential.id)
    .executeTakeFirstOrThrow();
  const { form_id, form_version } = row;
  const terms = DonationTerms.parse(row.terms);
  const organizationId = credential.organization.id;
  const [target, settings] = await Promise.all([
    findOpenTarget(deps.db, organizationId, terms),
    form_id !== null && form_version !== null
      ? findSettings(deps.db, organizationId, { form_id, form_version })
      : undefined,
  ]);
  const presentation = settings && presentationOf(settings);
  return await describeForm(deps, credential.organization, {
    ...row,
    offeredMethodTypes: row.terms.offered_method_types,
    terms,
    target,
    presentation,
  });
}

/**
 * Returns the data that a donation form needs to render a session.
 *
 * @throws {ConnectError} `conflict` if the organization has no account at Stripe
 */
export async function describeForm(
  { db, baseUrl, processor, mailConfig }: RequestDeps,
  organization: CredentialOrganization,
  { terms, target, offeredMethodTypes, presentation, prefill, form_id, form_version }: SessionForm,
): Promise<EmbedForm> {
  const { processorAccountId } = requireAccount(organization);
  const { stripe_account_id, ...keys } = await processor.browserKeysOf(processorAccountId);
  const { contact_email, logo_hash } = await db
    .selectFrom('organization')
    .leftJoin('organization_logo', 'organization_logo.organization_id', 'organization.id')
    .select(['organization.contact_email', 'organization_logo.hash as logo_hash'])
    .where('organization.id', '=', organization.id)
    .executeTakeFirstOrThrow();
  return {
    object: 'embed_form',
    organization: {
      id: organization.id,
      name: organization.name,
      time_zone: organization.timeZone,
      contact_email,
      logo_url: logo_hash && baseUrl + logoPath(organization.id, { hash: logo_hash }),
    },
    currency: organization.currency,
    terms,
    ...target,
    prefill: {
      donor_name: prefill.donor_name ?? null,
      donor_email: prefill.donor_email ?? null,
    },
    ...keys,
    ...(stripe_account_id !== null && { stripe_account_id }),
    stripe_js_url: processor.scriptUrl,
    receipts: canSendMail(mailConfig),
    payment_method_types: offeredMethodTypes,
    form_id,
    form_version,
    ...(presentation && { presentation }),
  };
}
