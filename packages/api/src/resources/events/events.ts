import { ConnectError, invalidRequest } from '@connect-embed/contract';
import type { Insertable } from 'kysely';
import { toSlug } from '../catalogue/slug.ts';
import type { Database, Db, Tx } from '../../db/schema.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../../db/constraint-errors.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import { findDonationTarget } from '../../payments/donation-target.ts';
import { newId } from '../../lib/id.ts';
import { changeEvent, countSeatsTaken, type EventRow, type EventRef } from './capacity.ts';

type ServerFields = 'id' | 'organization_id' | 'published_at' | 'cancelled_at' | 'created_at';

/** Fields of an event that an organization can edit. An empty slug is derived from the title. */
export type EventInput = Omit<Required<Insertable<Database['event']>>, ServerFields>;

/**
 * Creates an event as a draft.
 *
 * @returns the id of the event
 * @throws {ConnectError} `invalid_request` naming the field
 */
export async function createEvent(
  db: Db,
  organizationId: string,
  input: EventInput,
): Promise<string> {
  validateEventInput(input);
  await findDonationTarget(db, organizationId, input);
  const id = newId('event');
  const slug = input.slug || toSlug(input.title) || id;
  await forOrganization(db, organizationId)
    .insertInto('event', { ...input, id, slug })
    .execute()
    .catch(throwSlugConflict);
  return id;
}

/**
 * Updates an event.
 *
 * @throws {ConnectError} `not_found`; `conflict` if its state does not allow it; `invalid_request`
 *   naming the field
 */
export async function updateEvent(db: Db, ref: EventRef, input: EventInput): Promise<void> {
  validateEventInput(input);
  await changeEvent(db, ref, 'edit', async (tx, event) => {
    await validateCapacityAndPricing(tx, event, input);
    await validateTarget(tx, event, input);
    await forOrganization(tx, ref.organizationId)
      .updateTable('event')
      .set({ ...input, slug: input.slug || event.slug })
      .where('id', '=', event.id)
      .execute()
      .catch(throwSlugConflict);
  });
}

/**
 * Publishes a draft.
 *
 * @throws {ConnectError} `not_found`; `conflict` if the event is not a draft, or is sold by ticket
 *   type and offers none
 */
export const publishEvent = (db: Db, ref: EventRef) =>
  changeEvent(db, ref, 'publish', async (tx, event) => {
    if (event.pricing_mode === 'ticketed' && !(await hasTickets(tx, event.id))) {
      const message = 'This event is sold by ticket type. Add a ticket type first.';
      throw new ConnectError('conflict', message);
    }
    await setTimestamps(tx, event, { published_at: new Date() });
  });

/**
 * Changes a published event without registrations back to a draft.
 *
 * @throws {ConnectError} `not_found`; `conflict` if it is not published or has registrations
 */
export const unpublishEvent = (db: Db, ref: EventRef) =>
  changeEvent(db, ref, 'unpublish', async (tx, event) => {
    if (await hasRegistrations(tx, event)) {
      const message = 'This event already has registrations. Cancel it instead.';
      throw new ConnectError('conflict', message);
    }
    await setTimestamps(tx, event, { published_at: null });
  });

/**
 * Cancels an event permanently. Unpaid registrations are canceled as well; paid ones keep their
 * status until each is refunded.
 *
 * @throws {ConnectError} `not_found`, `conflict`
 */
export const cancelEvent = (db: Db, ref: EventRef) =>
  changeEvent(db, ref, 'cancel', async (tx, event) => {
    await setTimestamps(tx, event, { published_at: null, cancelled_at: new Date() });
    await forOrganization(tx, event.organization_id)
      .updateTable('registration')
      .set({ status: 'cancelled', check_in_hash: null })
      .where('event_id', '=', event.id)
      .where('status', 'in', ['pending', 'confirmed', 'waitlisted'])
      .whereRef('amount_paid_cents', '<=', 'refunded_cents')
      .execute();
  });

/**
 * Deletes a draft that never had registrations.
 *
 * @throws {ConnectError} `not_found`; `conflict` if the event is not a draft or has registrations
 */
export const deleteEvent = (db: Db, ref: EventRef) =>
  changeEvent(db, ref, 'delete', async (tx, event) => {
    try {
      await forOrganization(tx, event.organization_id)
        .deleteFrom('event')
        .where('id', '=', event.id)
        .execute();
    } catch (cause) {
      if (!isForeignKeyViolation(cause)) throw cause;
      throw new ConnectError('conflict', 'This event has registrations and cannot be deleted.', {
        code: 'resource_in_use',
        cause,
      });
    }
  });

const setTimestamps = (
  tx: Tx,
  { id, organization_id }: EventRow,
  timestamps: Partial<Pick<EventRow, 'published_at' | 'cancelled_at'>>,
) =>
  forOrganization(tx, organization_id)
    .updateTable('event')
    .set(timestamps)
    .where('id', '=', id)
    .execute();

/** Checks the rules that involve several fields and that no single column can enforce. */
function validateEventInput(input: EventInput): void {
  const {
    starts_at,
    ends_at,
    registration_opens_at: opensAt,
    registration_closes_at: closesAt,
  } = input;
  if (ends_at && ends_at < starts_at)
    throw invalidRequest('ends_at', 'must not be before the start.');
  if (opensAt && closesAt && closesAt < opensAt) {
    throw invalidRequest('registration_closes_at', 'must not be before registration opens.');
  }
  const { pwyw_min_cents: least, pwyw_suggested_cents: suggested } = input;
  if (least !== null && suggested !== null && suggested < least) {
    throw invalidRequest('pwyw_suggested_cents', 'must not be less than the minimum amount.');
  }
}

/**
 * Checks the fund and the campaign only if they are changed, because those that are saved already
 * may have been archived since.
 */
async function validateTarget(tx: Tx, event: EventRow, input: EventInput): Promise<void> {
  await findDonationTarget(tx, event.organization_id, {
    fund_id: input.fund_id === event.fund_id ? null : input.fund_id,
    campaign_id: input.campaign_id === event.campaign_id ? null : input.campaign_id,
  });
}

/**
 * Rejects a capacity below the seats taken, and another pricing mode once people have registered.
 */
async function validateCapacityAndPricing(
  tx: Tx,
  event: EventRow,
  input: EventInput,
): Promise<void> {
  if (input.capacity !== null && input.capacity !== event.capacity) {
    const seatsTaken = await countSeatsTaken(tx, event);
    if (input.capacity < seatsTaken)
      throw invalidRequest(
        'capacity',
        `must be at least ${seatsTaken}, the number of seats taken.`,
      );
  }
  if (input.pricing_mode !== event.pricing_mode && (await hasRegistrations(tx, event))) {
    throw invalidRequest('pricing_mode', 'must stay the same because the event has registrations.');
  }
}

async function hasRegistrations(
  db: Db,
  event: Pick<EventRow, 'id' | 'organization_id'>,
): Promise<boolean> {
  const query = forOrganization(db, event.organization_id)
    .selectFrom('registration')
    .select('id')
    .where('event_id', '=', event.id);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

async function hasTickets(db: Db, eventId: string): Promise<boolean> {
  const query = db.selectFrom('event_ticket_type').select('id').where('event_id', '=', eventId);
  return (await query.where('is_active', '=', true).limit(1).executeTakeFirst()) !== undefined;
}

function throwSlugConflict(cause: unknown): never {
  throw isUniqueViolation(cause) ? invalidRequest('slug', 'is taken by another event.') : cause;
}
