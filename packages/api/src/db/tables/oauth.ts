import type { ColumnType, JSONColumnType } from 'kysely';

/** Set by the database on insert. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

interface OauthAppTable {
  /** The OAuth `client_id`. */
  id: string;
  /** Id of the developer. An app belongs to a person, not to an organization (spec: Authentication). */
  person_id: string;
  name: string;
  secret_hash: Buffer;
  redirect_uris: string[];
  created_at: CreatedAt;
}

interface OauthConnectionTable {
  id: string;
  app_id: string;
  organization_id: string;
  created_at: CreatedAt;
  revoked_at: Date | null;
}

interface OauthGrantTable {
  id: string;
  connection_id: string;
  /** Id of the member who approved the app. The grant never exceeds this member's permissions. */
  person_id: string;
  scopes: string[];
  created_at: CreatedAt;
}

export type TokenKind = 'code' | 'access' | 'refresh';

interface OauthTokenTable {
  token_hash: Buffer;
  kind: TokenKind;
  grant_id: string;
  scopes: string[];
  /** Other data of the OAuth library about the token. Never the token itself. */
  payload: JSONColumnType<Record<string, unknown>>;
  /** When a code was redeemed or a refresh token was replaced. */
  consumed_at: Date | null;
  expires_at: Date;
  created_at: CreatedAt;
}

interface OauthInteractionTable {
  uid_hash: Buffer;
  payload: JSONColumnType<Record<string, unknown>>;
  expires_at: Date;
}

/** Tables of OAuth, as part of the database schema. */
export interface OauthTables {
  oauth_app: OauthAppTable;
  oauth_connection: OauthConnectionTable;
  oauth_grant: OauthGrantTable;
  oauth_token: OauthTokenTable;
  oauth_interaction: OauthInteractionTable;
}
