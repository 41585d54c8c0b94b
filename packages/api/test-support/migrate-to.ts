import { Migrator, sql } from 'kysely';
import type { Db } from '../src/db/schema.ts';
import { MIGRATIONS } from '../src/db/migrations/index.ts';

/** Removes all tables and types of a test database. */
export async function emptySchema(db: Db): Promise<void> {
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
}

/** Runs the migrations whose names are lower than `before`, such as `0027`. */
export async function migrateTo(db: Db, before: string): Promise<void> {
  const known = Object.entries(MIGRATIONS).filter(([name]) => name < before);
  const provider = { getMigrations: async () => Object.fromEntries(known) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
}
