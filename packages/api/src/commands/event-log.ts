import { EVENT_TYPES, type EventType } from '@connect-embed/contract';
import { newestSecret } from '@connect-embed/contract/secrets';
import { readConfig } from '../config.ts';
import { requireSameRelease } from '../db/migrate.ts';
import { deriveSecret } from '../lib/encrypter.ts';
import { describeDeliveryError } from '../webhooks/delivery-error.ts';
import { readEventsSince, type EventPosition, type LoggedEvent } from '../webhooks/read-events.ts';
import { signEvent, type SignedHeaders } from '../webhooks/sign.ts';
import { withDatabase } from './with-database.ts';

export { describeDeliveryError, type LoggedEvent };

/** The webhook events of an installation, from the moment of opening. */
export interface EventLog {
  /** Signs the events. The same for every run with the same `API_SECRET`. */
  secret: string;
  /** Reads the events since the last successful call, oldest first. Each event is returned once. */
  read(): Promise<LoggedEvent[]>;
  sign(event: LoggedEvent): SignedHeaders;
}

interface EventLogOptions {
  /** By default all organizations. */
  organization?: string | undefined;
  /** By default all types. */
  types?: readonly EventType[] | undefined;
}

/** @throws {Error} if there is no such organization, or the database is of another release */
export const withEventLog = (
  { organization, types = EVENT_TYPES }: EventLogOptions,
  action: (log: EventLog) => Promise<void>,
): Promise<void> =>
  withDatabase(async (db) => {
    if (organization !== undefined) {
      const query = db.selectFrom('organization').select('id').where('id', '=', organization);
      if (!(await query.executeTakeFirst())) {
        throw new Error(`No organization has the ID ${organization}.`);
      }
    }
    const filter = { organizationId: organization ?? null, types };
    let position: EventPosition | undefined;
    const read = async () => {
      const result = await readEventsSince(db, filter, position);
      position = result.position;
      return result.events;
    };
    await read(); // The position of now: earlier events are not returned.
    const key = deriveSecret(newestSecret(readConfig().loadOrCreateSecret()), 'listen');
    const secret = `whsec_${Buffer.from(key, 'base64url').toString('base64')}`;
    const sign = ({ id, body }: LoggedEvent) => signEvent([secret], { id, at: new Date(), body });
    await action({ secret, read, sign });
  }, requireSameRelease);

/** @throws {Error} that names the type that does not exist */
export function parseEventTypes(text: string): EventType[] {
  const names = text.split(',').map((name) => name.trim());
  const isType = (name: string): name is EventType => EVENT_TYPES.some((type) => type === name);
  const unknown = names.find((name) => !isType(name));
  if (unknown === undefined) return names.filter(isType);
  throw new Error(`There is no event type “${unknown}”. Types: ${EVENT_TYPES.join(', ')}.`);
}
