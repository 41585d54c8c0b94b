import { sql } from 'kysely';
import type { EventRow } from './capacity.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';

/**
 * Maximum number of guests in the list. In a longer list, searching is faster than scrolling on a
 * phone.
 */
const MAX_GUESTS = 50;
const MAX_LAST_CHECKED_IN = 1;

/**
 * The fields of a registration that are needed at check-in, where staff admit guests to an event.
 */
export type Guest = Awaited<ReturnType<ReturnType<typeof selectGuests>['execute']>>[number];

type CheckInEvent = Pick<EventRow, 'id' | 'organization_id'>;

export interface CheckInList {
  /** Number of people, not of registrations: a registration for eight people counts as eight. */
  checkedIn: number;
  expected: number;
  guests: Guest[];
  /** The latest check-in, so that a mistake can be undone quickly. */
  lastCheckedIn: Guest[];
  /** True if there are more guests than are listed. */
  hasMore: boolean;
}

/**
 * Loads the check-in list of an event. A search matches registrations in any status whose names or
 * email contain every word. Without a search, the confirmed registrations are listed by name.
 */
export async function loadCheckInList(
  db: Db,
  event: CheckInEvent,
  search: string,
): Promise<CheckInList> {
  let matchingGuests = selectGuests(db, event)
    .orderBy('registration.attendee_name')
    .orderBy('registration.id');
  if (search) {
    for (const word of search.split(/\s+/))
      matchingGuests = matchingGuests.where(matchesWord(word));
  } else {
    matchingGuests = matchingGuests.where('registration.status', '=', 'confirmed');
  }
  const checkedInGuests = selectGuests(db, event)
    .where('registration.status', '=', 'checked_in')
    .orderBy('registration.checked_in_at', 'desc')
    .limit(MAX_LAST_CHECKED_IN);
  const [rows, lastCheckedIn, counts] = await Promise.all([
    matchingGuests.limit(MAX_GUESTS + 1).execute(),
    search ? [] : checkedInGuests.execute(),
    countPeople(db, event),
  ]);
  return {
    ...counts,
    guests: rows.slice(0, MAX_GUESTS),
    lastCheckedIn,
    hasMore: rows.length > MAX_GUESTS,
  };
}

const selectGuests = (db: Db, event: CheckInEvent) =>
  forOrganization(db, event.organization_id)
    .selectFrom('registration')
    .leftJoin('event_ticket_type as ticket', 'ticket.id', 'registration.ticket_type_id')
    .select([
      'registration.id',
      'registration.attendee_name',
      'registration.attendee_names',
      'registration.quantity',
      'registration.status',
      'registration.checked_in_at',
      'ticket.name as ticket',
    ])
    .where('registration.event_id', '=', event.id);

/**
 * SQL condition that a word occurs anywhere in the names or the email address. `%` and `_` are
 * escaped.
 */
const matchesWord = (word: string) => {
  const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`concat_ws(' ', registration.attendee_name, registration.attendee_email,
    array_to_string(registration.attendee_names, ' ')) ilike ${pattern}`;
};

async function countPeople(db: Db, event: CheckInEvent) {
  const rows = await forOrganization(db, event.organization_id)
    .selectFrom('registration')
    .select((eb) => ['status', eb.fn.sum<number>('quantity').as('count')] as const)
    .where('event_id', '=', event.id)
    .where('status', 'in', ['confirmed', 'checked_in'])
    .groupBy('status')
    .execute();
  const countOf = (status: string) => Number(rows.find((row) => row.status === status)?.count ?? 0);
  return {
    checkedIn: countOf('checked_in'),
    expected: countOf('checked_in') + countOf('confirmed'),
  };
}
