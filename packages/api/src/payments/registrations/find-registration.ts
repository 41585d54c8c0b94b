import type { Selectable } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Database, Db, Tx } from '../../db/schema.ts';
import { findById } from '../../lib/id.ts';

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
  return await findById('registration', ref.id, selectRegistration(db, ref));
}

/** Loads a registration and locks its row until the transaction ends. */
export async function lockRegistration(tx: Tx, ref: RegistrationRef): Promise<RegistrationRow> {
  return await findById('registration', ref.id, selectRegistration(tx, ref).forUpdate());
}
