import { COMPONENT_SCOPE, type Component, type Scope } from '@connect-embed/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';
import { hashToken } from '../id.ts';

/** The organization that a credential acts for, as far as every route needs it. */
export interface CredentialOrganization {
  id: string;
  name: string;
  currency: string;
  processorAccountId: string;
}

/** Who is asking, and what they may do. */
export interface Credential {
  /** Of the key or session itself: `key_…`, `es_…`, `cs_…`. */
  id: string;
  kind: 'api_key' | 'embed_session' | 'component_session';
  organization: CredentialOrganization;
  /** Empty for an embed session, which may only give: docs/decisions/0005-scopes.md */
  scopes: ReadonlySet<string>;
  /** The API key that it is, or that minted it. */
  apiKeyId: string;
}

export const API_KEY_PREFIX = 'gb_live_';
export const EMBED_SESSION_PREFIX = 'gb_es_';
export const COMPONENT_SESSION_PREFIX = 'gb_cs_';

/** Every token of ours, and nothing longer: 43 characters carry 256 bits. */
const TOKEN = /^(gb_live_|gb_es_|gb_cs_)[\w-]{43}$/;

/**
 * Finds the credential behind a bearer token: one SELECT by the token's SHA-256.
 *
 * Nothing is cached, so that a revoked key fails on its very next request; a session ends with
 * the key that minted it.
 */
export async function findCredential(
  db: Kysely<Database>,
  token: string,
): Promise<Credential | undefined> {
  const hash = hashToken(token);
  switch (TOKEN.exec(token)?.[1]) {
    case API_KEY_PREFIX:
      return await findApiKey(db, hash);
    case EMBED_SESSION_PREFIX:
      return await findEmbedSession(db, hash);
    case COMPONENT_SESSION_PREFIX:
      return await findComponentSession(db, hash);
    default:
      return undefined;
  }
}

const ORGANIZATION_COLUMNS = [
  'organization.id as organization_id',
  'organization.name',
  'organization.currency',
  'organization.processor_account_id',
] as const;

async function findApiKey(db: Kysely<Database>, hash: Buffer): Promise<Credential | undefined> {
  const row = await db
    .selectFrom('api_key')
    .innerJoin('organization', 'organization.id', 'api_key.organization_id')
    .where('api_key.token_hash', '=', hash)
    .where('api_key.revoked_at', 'is', null)
    .select(['api_key.id', 'api_key.scopes', ...ORGANIZATION_COLUMNS])
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      kind: 'api_key',
      organization: toOrganization(row),
      scopes: new Set(row.scopes),
      apiKeyId: row.id,
    }
  );
}

async function findEmbedSession(
  db: Kysely<Database>,
  hash: Buffer,
): Promise<Credential | undefined> {
  const row = await db
    .selectFrom('embed_session as session')
    .innerJoin('api_key', 'api_key.id', 'session.api_key_id')
    .innerJoin('organization', 'organization.id', 'session.organization_id')
    .where('session.token_hash', '=', hash)
    .where('session.expires_at', '>', new Date())
    .where('api_key.revoked_at', 'is', null)
    .select(['session.id', 'session.api_key_id', ...ORGANIZATION_COLUMNS])
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      kind: 'embed_session',
      organization: toOrganization(row),
      scopes: new Set(),
      apiKeyId: row.api_key_id,
    }
  );
}

async function findComponentSession(
  db: Kysely<Database>,
  hash: Buffer,
): Promise<Credential | undefined> {
  const row = await db
    .selectFrom('component_session as session')
    .innerJoin('api_key', 'api_key.id', 'session.api_key_id')
    .innerJoin('organization', 'organization.id', 'session.organization_id')
    .where('session.token_hash', '=', hash)
    .where('session.expires_at', '>', new Date())
    .where('api_key.revoked_at', 'is', null)
    .select(['session.id', 'session.api_key_id', 'session.components', ...ORGANIZATION_COLUMNS])
    .executeTakeFirst();
  if (!row) return undefined;
  const scopes: Scope[] = row.components.map((name) => COMPONENT_SCOPE[name as Component]);
  return {
    id: row.id,
    kind: 'component_session',
    organization: toOrganization(row),
    scopes: new Set(scopes),
    apiKeyId: row.api_key_id,
  };
}

const toOrganization = (row: {
  organization_id: string;
  name: string;
  currency: string;
  processor_account_id: string;
}): CredentialOrganization => ({
  id: row.organization_id,
  name: row.name,
  currency: row.currency,
  processorAccountId: row.processor_account_id,
});
