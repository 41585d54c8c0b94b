import type { ColumnType, Generated } from 'kysely';

/** A person's role in an organization. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** Set by the database on insert. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

interface PersonTable {
  id: string;
  name: string;
  /** In lower case, as Better Auth stores it. */
  email: string;
  email_verified: boolean;
  image: string | null;
  two_factor_enabled: Generated<boolean>;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
}

interface SignInSessionTable {
  id: string;
  person_id: string;
  /** SHA-256, in hex, of the token in the session cookie: `session-token-hash.ts`. */
  token: string;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
}

/** Two-step sign-in of a person. Better Auth encrypts the secret and the backup codes. */
interface SecondFactorTable {
  id: string;
  person_id: string;
  secret: string;
  backup_codes: string;
  /** False until the person has confirmed the setup with a code. */
  verified: Generated<boolean>;
  failed_verification_count: Generated<number>;
  locked_until: Date | null;
}

/** A way to sign in: the password, as its scrypt hash. Written by Better Auth alone. */
interface SignInMethodTable {
  id: string;
  person_id: string;
  account_id: string;
  provider_id: string;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: Date | null;
  refresh_token_expires_at: Date | null;
  scope: string | null;
  password: string | null;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
}

/** A short-lived value, such as a password-reset link. Written by Better Auth alone. */
interface SignInVerificationTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
}

interface MembershipTable {
  organization_id: string;
  person_id: string;
  role: Role;
  /**
   * Scopes of an admin. Ignored for owners, who hold all scopes, and for plain members, who hold
   * none.
   */
  permissions: Generated<string[]>;
  created_at: CreatedAt;
}

/** An invitation to join an organization. */
interface InvitationTable {
  id: string;
  organization_id: string;
  /** In lower case. */
  email: string;
  role: Role;
  permissions: Generated<string[]>;
  /** SHA-256 of the token in the link. */
  token_hash: Buffer;
  /** Id of the person who sent the invitation; null if that person was deleted. */
  invited_by: string | null;
  expires_at: Date;
  accepted_at: Date | null;
  created_at: CreatedAt;
}

/** A link with which the first owner sets up an empty installation. */
interface SetupLinkTable {
  token_hash: Buffer;
  /** Hash of the token in the cookie for which the link was exchanged. */
  cookie_hash: Buffer | null;
  expires_at: Date;
}

/** The tables of users, as part of the database schema. */
export interface UserTables {
  setup_link: SetupLinkTable;
  person: PersonTable;
  sign_in_session: SignInSessionTable;
  sign_in_method: SignInMethodTable;
  sign_in_verification: SignInVerificationTable;
  sign_in_second_factor: SecondFactorTable;
  membership: MembershipTable;
  invitation: InvitationTable;
}
