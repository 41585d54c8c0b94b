import { FormSettings } from '@connect-embed/contract';
import { sql } from 'kysely';
import { acrossOrganizations, forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { isId, newId } from '../../lib/id.ts';

/** Path of the pages with previews, which only the dashboard may frame. */
export const PREVIEW_PATH = '/form-preview';

/** How long a preview can be used. */
const LIFETIME = sql`interval '1 hour'`;

/** Highest number of an organization's previews. Each change in the editor makes one. */
const MAX_PREVIEWS = 100;

export interface FormPreview {
  settings: FormSettings;
  theme: 'light' | 'dark';
  /** Language of the form, such as `de`. */
  language: string;
}

/**
 * Stores a preview, because the settings are too long for a URL, and deletes the organization's oldest
 * ones above `MAX_PREVIEWS`.
 *
 * @returns the path of its page
 */
export async function createPreview(
  db: Db,
  organizationId: string,
  { settings, theme, language }: FormPreview,
): Promise<string> {
  const id = newId('prev');
  const scope = forOrganization(db, organizationId);
  await scope
    .insertInto('form_preview', { id, settings: JSON.stringify(settings), theme, language })
    .execute();
  const tooMany = scope
    .selectFrom('form_preview')
    .select('id')
    .orderBy('created_at', 'desc')
    .offset(MAX_PREVIEWS);
  await scope.deleteFrom('form_preview').where('id', 'in', tooMany).execute();
  return `${PREVIEW_PATH}/${id}`;
}

/** Finds a preview by its id, which nobody can guess; undefined if there is none or it has expired. */
export async function findPreview(db: Db, id: string) {
  if (!isId(id)) return undefined;
  const row = await acrossOrganizations(db)
    .selectFrom('form_preview')
    .selectAll()
    .select(sql<Date>`created_at + ${LIFETIME}`.as('expires_at'))
    .where('id', '=', id)
    .where('created_at', '>', sql<Date>`now() - ${LIFETIME}`)
    .executeTakeFirst();
  return row && { ...row, settings: FormSettings.parse(row.settings) };
}

/** Deletes expired previews of all organizations. */
export const removeOldPreviews = (db: Db) =>
  acrossOrganizations(db)
    .deleteFrom('form_preview')
    .where('created_at', '<', sql<Date>`now() - ${LIFETIME}`)
    .execute();
