import type { DatabaseSync } from 'node:sqlite';

/** A customer of the platform. Each has connected one organization, or none. */
export interface Customer {
  id: string;
  organization_id: string | null;
  /** Secret with which the API signs the events of the organization. */
  event_secret: string | null;
}

/** The platform's own table of customers. */
export function openCustomers(database: DatabaseSync) {
  database.exec(
    `create table if not exists customer (
       id text primary key, organization_id text unique, event_secret text)`,
  );
  const insert = database.prepare('insert or ignore into customer (id) values (?)');
  const select = database.prepare('select * from customer where id = ?');
  const selectByOrganization = database.prepare('select * from customer where organization_id = ?');
  const update = database.prepare(
    'update customer set organization_id = ?, event_secret = ? where id = ?',
  );
  return {
    /** Finds a customer, and creates one with the first visit. */
    open(id: string): Customer {
      insert.run(id);
      return select.get(id) as unknown as Customer;
    },
    ofOrganization: (organizationId: string) =>
      selectByOrganization.get(organizationId) as Customer | undefined,
    save({ id, organization_id, event_secret }: Customer) {
      update.run(organization_id, event_secret, id);
    },
  };
}

export type Customers = ReturnType<typeof openCustomers>;
