import { createHash } from 'node:crypto';
import type { Registration } from '@connect-embed/contract';
import type { Insertable } from 'kysely';
import type { Database } from '../schema.ts';
import { createRandom, type Random } from './random.ts';
import type { SeedEvent } from './events.ts';
import type { SeedDonor } from './donors.ts';

type Status = Registration['status'];
type SeedRegistration = Insertable<Database['registration']>;

interface RegistrationOptions {
  event: SeedEvent;
  people: readonly SeedDonor[];
  count: number;
  /** Prices of one seat, with one entry for each ticket type. */
  prices: readonly { cents: number; ticket_type_id: string | null }[];
}

/** Statuses of registrations for upcoming events. Frequent statuses are repeated. */
const UPCOMING_STATUSES: readonly Status[] = [
  ...Array.from({ length: 12 }, () => 'confirmed' as const),
  'pending',
  'cancelled',
  'refunded',
  'waitlisted',
];
const PAST_STATUSES: readonly Status[] = [
  ...Array.from({ length: 12 }, () => 'checked_in' as const),
  'confirmed',
  'cancelled',
  'refunded',
];

/** Statuses for a cancelled event, where a confirmed registration still has to be refunded. */
const CANCELLED_STATUSES: readonly Status[] = ['cancelled', 'cancelled', 'refunded', 'confirmed'];

/** Invents the registrations of an event. Statuses are used in turn, so that none is missing. */
export function inventRegistrations(options: RegistrationOptions, now: Date): SeedRegistration[] {
  const random = createRandom(options.event.title.length * 1000 + options.count);
  const isPast = options.event.starts_at < now;
  const isCancelled = options.event.cancelled_at;
  const statuses = isCancelled ? CANCELLED_STATUSES : isPast ? PAST_STATUSES : UPCOMING_STATUSES;
  const latestMs = Math.min(now.getTime(), options.event.starts_at.getTime());
  return Array.from({ length: options.count }, (_, index) => {
    // The rare statuses are at the end of the list, so they are used first.
    const status = statuses.at(-1 - (index % statuses.length))!;
    const earliestMs = options.event.created_at.getTime();
    const created_at = new Date(
      earliestMs + (0.05 + 0.9 * random.next()) * (latestMs - earliestMs),
    );
    return inventRegistration(random, options, { status, created_at, latestMs });
  });
}

function inventRegistration(
  random: Random,
  { event, people, prices }: RegistrationOptions,
  { status, created_at, latestMs }: { status: Status; created_at: Date; latestMs: number },
): SeedRegistration {
  const person = random.pick(people);
  const { cents, ticket_type_id } = random.pick(prices);
  const quantity = random.probability(0.3) ? random.integer(2, 4) : 1;
  const paid = ['confirmed', 'checked_in', 'refunded'].includes(status) ? cents * quantity : 0;
  const refundedAt = new Date(
    created_at.getTime() + random.next() * (latestMs - created_at.getTime()),
  );
  const id = random.id('reg');
  const hasCheckedIn = status === 'checked_in';
  // The payments do not exist in the sandbox, so only refunded registrations have a payment intent id.
  const byCard = status === 'refunded' && paid > 0;
  const checkedInAt = new Date(event.starts_at.getTime() - random.integer(-10, 30) * 60_000);
  return {
    id,
    organization_id: event.organization_id,
    event_id: event.id,
    ticket_type_id,
    ...attendeeColumns(person, quantity),
    status,
    quantity,
    amount_paid_cents: paid,
    refunded_cents: status === 'refunded' ? paid : 0,
    refunded_at: status === 'refunded' ? refundedAt : null,
    checked_in_at: hasCheckedIn ? checkedInAt : null,
    source: sourceOf(random.probability(0.8), paid > 0 && !byCard),
    check_in_hash:
      hasCheckedIn || status === 'confirmed' ? createHash('sha256').update(id).digest() : null,
    processor_payment_intent_id: byCard ? random.id('pi') : null,
    tax_cents: paid > 0 ? 0 : null,
    tax_country: paid > 0 ? 'US' : null,
    created_at,
  };
}

function attendeeColumns({ first_name, last_name, email, phone }: SeedDonor, quantity: number) {
  const name = `${first_name} ${last_name}`;
  const companions = Array.from({ length: quantity - 1 }, (_, n) => `${name} +${n + 1}`);
  return {
    attendee_name: name,
    attendee_names: [name, ...companions],
    attendee_email: email ?? null,
    attendee_phone: phone ?? null,
  };
}

/** Chooses the source of a registration. A payment without a card was entered in the dashboard or imported. */
function sourceOf(isFrequentSource: boolean, paidOutside: boolean): string {
  if (paidOutside) return isFrequentSource ? 'dashboard' : 'import';
  return isFrequentSource ? 'embed' : 'import';
}
