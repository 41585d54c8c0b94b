import type { Scope } from '@connect-embed/contract';
import { sql } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import { newId } from '../lib/id.ts';
import { connectionEvent, type EnqueueEvent } from '../webhooks/enqueue-event.ts';

/** The database, and the queue of the webhook events that tell an app of its end. */
export interface ConnectionDeps {
  db: Db;
  enqueue: EnqueueEvent;
}

/** An app that is connected to an organization, as its owners see it. */
export interface Connection {
  id: string;
  appName: string;
  scopes: string[];
  approvedBy: string[];
  createdAt: Date;
}

/**
 * Records that a member approved an app for an organization. There is one connection per app and
 * organization, and one grant per approval.
 *
 * @param approval.scopes the requested scopes that this member may grant
 * @returns the grant id, which the tokens of the app reference
 */
export async function approve(
  db: Db,
  approval: {
    appId: string;
    organizationId: string;
    personId: string;
    scopes: readonly (Scope | 'offline_access')[];
  },
): Promise<string> {
  const { appId, organizationId, personId } = approval;
  return await db.transaction().execute(async (tx) => {
    const connection = await forOrganization(tx, organizationId)
      .insertInto('oauth_connection', { id: newId('con'), app_id: appId })
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'app_id'])
          .where('revoked_at', 'is', null)
          // This update changes nothing, but makes PostgreSQL return the existing row.
          .doUpdateSet({ app_id: appId }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    const id = newId('grant');
    await tx
      .insertInto('oauth_grant')
      .values({
        id,
        connection_id: connection.id,
        person_id: personId,
        scopes: [...approval.scopes],
      })
      .execute();
    return id;
  });
}

/** Lists the apps that are connected to an organization, oldest connection first. */
export async function listConnections(db: Db, organizationId: string): Promise<Connection[]> {
  const rows = await forOrganization(db, organizationId)
    .selectFrom('oauth_connection')
    .innerJoin('oauth_app as app', 'app.id', 'oauth_connection.app_id')
    .innerJoin('oauth_grant as granted', 'granted.connection_id', 'oauth_connection.id')
    .innerJoin('person', 'person.id', 'granted.person_id')
    .where('oauth_connection.revoked_at', 'is', null)
    .groupBy(['oauth_connection.id', 'app.name'])
    .select([
      'oauth_connection.id',
      'oauth_connection.created_at',
      'app.name',
      sql<string[]>`array_agg(distinct person.name)`.as('approved_by'),
      sql<string[]>`(
        select array_agg(distinct scope order by scope)
        from oauth_grant as approval, unnest(approval.scopes) as scope
        where approval.connection_id = oauth_connection.id and scope <> 'offline_access'
      )`.as('scopes'),
    ])
    .orderBy('oauth_connection.created_at')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    appName: row.name,
    scopes: row.scopes,
    approvedBy: row.approved_by,
    createdAt: row.created_at,
  }));
}

/**
 * Revokes the access of an app to an organization. All tokens and sessions of the app are invalid
 * from the next request on, in all processes (spec: Credential lifecycle facts). Its webhook endpoints
 * still receive `connection.revoked`.
 *
 * @returns false if the organization has no such connection
 */
export async function revokeConnection(
  { db, enqueue }: ConnectionDeps,
  connection: { id: string; organizationId: string },
): Promise<boolean> {
  const { id, organizationId } = connection;
  return await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await forOrganization(tx, organizationId)
      .updateTable('oauth_connection')
      .set({ revoked_at: new Date() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (!numUpdatedRows) return false;
    // Deleting the grants cascades to their tokens and sessions. The connection is kept as a
    // record.
    await tx.deleteFrom('oauth_grant').where('connection_id', '=', id).execute();
    await enqueue(tx, connectionEvent(organizationId, id));
    return true;
  });
}
