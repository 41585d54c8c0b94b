import type { Migration } from 'kysely';
import * as gift from './0001-gift.ts';

/** The one migration set, in order of name. A migration that has been released never changes. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001-gift': gift,
};
