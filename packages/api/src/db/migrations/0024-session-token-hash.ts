import { sql, type Kysely } from 'kysely';

/**
 * `sign_in_session.token` becomes the SHA-256 of the cookie's token, as every other token is stored:
 * docs/decisions/0019-people-and-teams.md
 *
 * Existing rows are hashed in place, so that users stay signed in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update sign_in_session
    set token = encode(sha256(convert_to(token, 'UTF8')), 'hex')`.execute(db);
}
