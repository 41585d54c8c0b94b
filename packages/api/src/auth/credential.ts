import type { Db } from '../db/database.ts';
import { hashToken } from '../id.ts';
import { findAccessToken } from '../oauth/access-token.ts';
import {
  ORGANIZATION_COLUMNS,
  toOrganization,
  type CredentialOrganization,
} from './organization.ts';
import { findComponentSession, findEmbedSession } from './session.ts';

/** Who is asking, and what they may do. */
export interface Credential {
  /** Of the key, connected app or session itself: `key_…`, `con_…`, `es_…`, `cs_…`. */
  id: string;
  kind: 'api_key' | 'oauth_token' | 'embed_session' | 'component_session';
  organization: CredentialOrganization;
  /** Empty for an embed session, which may only give: docs/decisions/0005-scopes.md */
  scopes: ReadonlySet<string>;
  /** The API key or connected app that it is, or that minted it. */
  ownerId: string;
  /** What ends this credential when it ends, and so every session that it mints. */
  endsWith: { api_key_id: string | null; grant_id: string | null };
}

export const API_KEY_PREFIX = 'gb_live_';
export const ACCESS_TOKEN_PREFIX = 'gba_';
export const EMBED_SESSION_PREFIX = 'gb_es_';
export const COMPONENT_SESSION_PREFIX = 'gb_cs_';

/** Every token of ours, and nothing longer: 43 characters carry 256 bits. */
const TOKEN = /^(gb_live_|gba_|gb_es_|gb_cs_)[\w-]{43}$/;

/**
 * Finds the credential behind a bearer token: one SELECT by the token's SHA-256.
 *
 * Nothing is cached, so that a revoked key fails on its very next request; a session ends with
 * the key or approval that minted it.
 */
export async function findCredential(db: Db, token: string): Promise<Credential | undefined> {
  const hash = hashToken(token);
  switch (TOKEN.exec(token)?.[1]) {
    case API_KEY_PREFIX:
      return await findApiKey(db, hash);
    case ACCESS_TOKEN_PREFIX:
      return await findAccessToken(db, hash);
    case EMBED_SESSION_PREFIX:
      return await findEmbedSession(db, hash);
    case COMPONENT_SESSION_PREFIX:
      return await findComponentSession(db, hash);
    default:
      return undefined;
  }
}

async function findApiKey(db: Db, hash: Buffer): Promise<Credential | undefined> {
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
      ownerId: row.id,
      endsWith: { api_key_id: row.id, grant_id: null },
    }
  );
}
