import { notFound } from '@connect-embed/contract';
import type { Selectable, Transaction } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db, Database } from '../../db/schema.ts';
import { isId } from '../../lib/id.ts';

export type RegistrationRow = Selectable<Database['registration']>;

/** Identifies a registration for an event of an organization. */
export interface RegistrationRef {
  organizationId: string;
  eventId: string;
  id: string;
}

const selectRegistration = (db: Db, { organizationId, eventId, id }: RegistrationRef) =>
  forOrganization(db, organizationId)
    .selectFrom('registration')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('id', '=', id);

/** @throws {ConnectError} `not_found` */
export async function findRegistration(db: Db, ref: RegistrationRef): Promise<RegistrationRow> {
  const row = isId(ref.id) && (await selectRegistration(db, ref).executeTakeFirst());
  if (!row) throw notFound('registration', ref.id);
  return row;
}

/** Loads a registration and locks its row until the transaction ends. */
export async function lockRegistration(
  tx: Transaction<Database>,
  ref: RegistrationRef,
): Promise<RegistrationRow> {
  const row = isId(ref.id) && (await selectRegistration(tx, ref).forUpdate().executeTakeFirst());
  if (!row) throw notFound('registration', ref.id);
  return row;
}
