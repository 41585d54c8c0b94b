import type { Mask } from '@connect-embed/contract';
import type { CredentialOrganization } from './organization.ts';

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
  revokedWith: { api_key_id: string | null; grant_id: string | null };
  /** What a component session keeps back of people; absent for what sees everything. */
  masks?: ReadonlySet<Mask>;
  /** In which a component session's reader shows moments: docs/decisions/0066-zone-of-a-table.md */
  timeZone?: string;
  /** When a session ends. */
  expiresAt?: Date;
}

export const API_KEY_PREFIX = 'gb_live_';
export const ACCESS_TOKEN_PREFIX = 'gba_';
export const EMBED_SESSION_PREFIX = 'gb_es_';
export const COMPONENT_SESSION_PREFIX = 'gb_cs_';
