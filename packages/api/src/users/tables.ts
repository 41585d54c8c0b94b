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
  created_at: CreatedAt;
  updated_at: Generated<Date>;
}

interface SignInSessionTable {
  id: string;
  person_id: string;
  /** Worthless without the signature that only the cookie carries. */
  token: string;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
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
  membership: MembershipTable;
  invitation: InvitationTable;
}
