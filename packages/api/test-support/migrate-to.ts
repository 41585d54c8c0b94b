import { Migrator, sql } from 'kysely';
import type { Db } from '../src/db/schema.ts';
import { MIGRATIONS } from '../src/db/migrations/index.ts';

/** Removes all tables and types of a test database. */
export async function emptySchema(db: Db): Promise<void> {
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
}

/** Runs the migrations whose names are lower than `firstExcluded`, such as `0027`. */
export async function migrateTo(db: Db, firstExcluded: string): Promise<void> {
  const migrations = Object.entries(MIGRATIONS).filter(([name]) => name < firstExcluded);
  const provider = { getMigrations: async () => Object.fromEntries(migrations) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
}
