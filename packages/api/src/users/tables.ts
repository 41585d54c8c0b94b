import type { ColumnType, Generated } from 'kysely';
import type { Role } from './membership.ts';

/** Set by the database when the row is made. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

interface PersonTable {
  id: string;
  name: string;
  /** In lower case, as the sign-in library keeps it. */
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
  /** SHA-256, in hex, of the token that the cookie carries: `session-token-hash.ts`. */
  token: string;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
}

/** Two-step sign-in; the library encrypts the secret and the backup codes. */
interface SecondFactorTable {
  id: string;
  person_id: string;
  secret: string;
  backup_codes: string;
  /** Null or false until a code has confirmed it. */
  verified: boolean | null;
}

interface MembershipTable {
  organization_id: string;
  person_id: string;
  role: Role;
  /** What an admin may do; an owner may do everything, a member grants nothing. */
  permissions: string[];
  created_at: CreatedAt;
}

/** Somebody who was asked to join, and has or has not. */
interface InvitationTable {
  id: string;
  organization_id: string;
  /** In lower case. */
  email: string;
  role: Role;
  permissions: string[];
  /** SHA-256 of what the link carries. */
  token_hash: Buffer;
  /** Null when that person is gone. */
  invited_by: string | null;
  expires_at: Date;
  accepted_at: Date | null;
  created_at: CreatedAt;
}

/** The tables of this folder that we read ourselves, as part of the schema. */
export interface UserTables {
  person: PersonTable;
  sign_in_session: SignInSessionTable;
  sign_in_second_factor: SecondFactorTable;
  membership: MembershipTable;
  invitation: InvitationTable;
}
