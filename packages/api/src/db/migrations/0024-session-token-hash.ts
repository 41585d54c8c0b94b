import { sql, type Kysely } from 'kysely';

/**
 * `sign_in_session.token` is the SHA-256 of the token that the cookie carries, as every other token is stored:
 * docs/decisions/0019-users.md
 *
 * The rows that exist are hashed in place: whoever is signed in stays signed in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update sign_in_session
    set token = encode(sha256(convert_to(token, 'UTF8')), 'hex')`.execute(db);
}
