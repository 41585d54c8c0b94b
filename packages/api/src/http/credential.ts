import type { Mask } from '@connect-embed/contract';
import type { CredentialOrganization } from './credential-organization.ts';

/** The authenticated caller of a request and its permissions. */
export interface Credential {
  /** Id of the API key, connected app or session: `key_…`, `con_…`, `es_…`, `cs_…`. */
  id: string;
  kind: 'api_key' | 'oauth_token' | 'embed_session' | 'component_session';
  organization: CredentialOrganization;
  /**
   * Empty for an embed session, which may only create payments:
   * docs/decisions/0005-credentials-and-scopes.md
   */
  scopes: ReadonlySet<string>;
  /**
   * The API key or OAuth grant whose revocation ends this credential and every session that the
   * credential creates.
   */
  revokedWith: { api_key_id: string | null; grant_id: string | null };
  /** Personal data that a component session hides; undefined if nothing is hidden. */
  masks?: ReadonlySet<Mask>;
  /** Expiry of a session; undefined for other credentials. */
  expiresAt?: Date;
}

export const API_KEY_PREFIX = 'gb_live_';
export const ACCESS_TOKEN_PREFIX = 'gba_';
export const EMBED_SESSION_PREFIX = 'gb_es_';
export const COMPONENT_SESSION_PREFIX = 'gb_cs_';
