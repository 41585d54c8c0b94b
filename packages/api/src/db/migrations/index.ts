import type { Migration } from 'kysely';
import * as gift from './0001-gift.ts';
import * as webhooks from './0002-webhooks.ts';
import * as usersOauth from './0003-users-oauth.ts';
import * as events from './0004-events.ts';

/** The one migration set, in order of name. A migration that has been released never changes. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001-gift': gift,
  '0002-webhooks': webhooks,
  '0003-users-oauth': usersOauth,
  '0004-events': events,
};
