import type { Migration } from 'kysely';
import * as baseline from './0001-baseline.ts';

/** All migrations in order of name. A released migration never changes. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001-baseline': baseline,
};
