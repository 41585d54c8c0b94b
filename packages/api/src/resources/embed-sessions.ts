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
import { forOrganization } from '../db/organization-scope.ts';
import type { Db, StoredTerms } from '../db/schema.ts';
import { findFundChoices, findDonationTarget } from '../payments/donation-target.ts';
import { hashToken, newId, newToken } from '../lib/id.ts';
import { requireAccount } from '../payments/accounts.ts';
import { addFormDomains } from '../payments/domains.ts';
import { listOrigins } from './allowed-sites/edit-sites.ts';
import { findPublishedForm } from './forms/published-form.ts';

/** What is stored about the form of a session. */
interface StoredForm {
  terms: DonationTerms;
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
      async (c) =>
        c.json(await createEmbedSession(deps, c.var.credential, c.req.valid('json')), 201),
    )
    .get('/current', queryParams(NoQuery), async (c) =>
      c.json(await loadEmbedForm(deps, c.var.credential)),
    );

async function createEmbedSession(
  deps: RequestDeps,
  credential: Credential,
  { prefill = {}, origins = [], ...input }: CreateEmbedSession,
): Promise<EmbedSession> {
  const { db, baseUrl } = deps;
  const { id: organizationId } = credential.organization;
  const { terms, ...form } = await resolveTerms(db, organizationId, input);
  const stored = { terms, prefill, ...form };
  // Without an account at Stripe, the form cannot be shown yet.
  const embedForm =
    credential.organization.processorAccountId === null
      ? undefined
      : await describeForm(deps, credential.organization, stored);
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
      ...form,
      token_hash: hashToken(token),
      terms: JSON.stringify({ ...terms, origins: allowedOrigins } satisfies StoredTerms),
      prefill: JSON.stringify(prefill),
    })
    .execute();
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

/**
 * Returns the terms of a session: those of a published form, or those in the request.
 *
 * @throws {ConnectError} `not_found` naming `form`, or `invalid_request` naming the field
 */
async function resolveTerms(
  db: Db,
  organizationId: string,
  { form: slug, form_version, ...input }: Omit<CreateEmbedSession, 'prefill' | 'origins'>,
) {
  if (slug !== undefined) {
    const [field] = Object.keys(input);
    if (field) throw invalidRequest(field, 'cannot be combined with form, which fixes the terms.');
    const published = await findPublishedForm(db, organizationId, slug, form_version);
    const { id, version, terms } = published;
    return { form_id: id, form_version: version, terms };
  }
  if (form_version !== undefined) throw invalidRequest('form_version', 'requires form.');
  const funds = await findFundChoices(db, organizationId, input.fund_choice_ids);
  const terms = completeTerms(input, DONATION_BOUNDS_CENTS, funds);
  await findDonationTarget(db, organizationId, terms);
  return { form_id: null, form_version: null, terms };
}

/**
 * Loads the data that a donation form needs to render an embed session.
 *
 * @throws {ConnectError} `forbidden` if the credential is not an embed session
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
  return await describeForm(deps, credential.organization, row);
}

/**
 * Returns the data that a donation form needs to render the terms of a session.
 *
 * @throws {ConnectError} `invalid_request` if the fund or campaign of the terms is not the
 *   organization's or is archived; `conflict` if the organization has no account at Stripe
 */
export async function describeForm(
  { db, processor, mailConfig }: RequestDeps,
  organization: CredentialOrganization,
  session: StoredForm,
): Promise<EmbedForm> {
  const { terms, prefill, form_id, form_version } = session;
  const { processorAccountId } = requireAccount(organization);
  const { stripe_account_id, ...keys } = await processor.browserKeysOf(processorAccountId);
  return {
    object: 'embed_form',
    organization: { id: organization.id, name: organization.name },
    currency: organization.currency,
    terms: DonationTerms.parse(terms),
    ...(await findDonationTarget(db, organization.id, terms)),
    prefill: {
      donor_name: prefill.donor_name ?? null,
      donor_email: prefill.donor_email ?? null,
    },
    ...keys,
    ...(stripe_account_id !== null && { stripe_account_id }),
    stripe_js_url: processor.scriptUrl,
    receipts: canSendMail(mailConfig),
    form_id,
    form_version,
  };
}
