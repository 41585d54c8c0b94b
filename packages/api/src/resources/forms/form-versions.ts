import { FormSettings, notFound } from '@connect-embed/contract';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { isId } from '../../lib/id.ts';
import type { FormRef } from './edit-form.ts';

/** Lists the versions of a form with the names of the members who published them, newest first. */
export const listVersions = (db: Db, { organizationId, id }: FormRef) =>
  forOrganization(db, organizationId)
    .selectFrom('form_version')
    .leftJoin('person', 'person.id', 'form_version.published_by')
    .where('form_id', '=', id)
    .select(['version', 'published_at', 'person.name as published_by'])
    .orderBy('version', 'desc')
    .execute();

/**
 * Finds one version of a form.
 *
 * @throws {ConnectError} `not_found`
 */
export async function findVersion(db: Db, { organizationId, id }: FormRef, version: number) {
  const row =
    isId(id) &&
    (await forOrganization(db, organizationId)
      .selectFrom('form_version')
      .select(['version', 'settings', 'published_at'])
      .where('form_id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst());
  if (!row) throw notFound('version', String(version));
  return { ...row, settings: FormSettings.parse(row.settings) };
}

/**
 * Replaces the draft of a form with the settings of an earlier version. Pages show it when the draft is
 * published.
 *
 * @throws {ConnectError} `not_found`
 */
export async function restoreVersion(db: Db, ref: FormRef, version: number): Promise<void> {
  const { settings } = await findVersion(db, ref, version);
  await forOrganization(db, ref.organizationId)
    .updateTable('form')
    .set(({ eb }) => ({
      draft: JSON.stringify(settings),
      draft_revision: eb('draft_revision', '+', 1),
    }))
    .where('id', '=', ref.id)
    .execute();
}
