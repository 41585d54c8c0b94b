import { DEFAULT_FORM_PAGE, type FormPageSettings } from '@connect-embed/contract';
import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { contentHash } from '../../lib/content-hash.ts';
import { draftChanged, findDraft, type FormRef } from './edit-form.ts';

/** The picture of a giving page. */
export interface FormPicture {
  /** A WebP image. */
  content: Buffer;
  /** Size in pixels. */
  width: number;
  height: number;
}

/**
 * Saves the picture of a form's draft and its description. Donors see it once the draft is published.
 *
 * @param file null if only the description changes
 * @throws {ConnectError} `conflict` if another member has saved the form since, `not_found`
 */
export const savePicture = (
  db: Db,
  ref: FormRef,
  { file, alt }: { file: FormPicture | null; alt: string },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    if (!file)
      return await changePage(tx, ref, ({ picture }) => ({
        picture: picture && { ...picture, alt },
      }));
    const { content, width, height } = file;
    const hash = contentHash(content, 22);
    await forOrganization(tx, ref.organizationId)
      .insertInto('form_picture', { hash, content })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await changePage(tx, ref, () => ({ picture: { hash, width, height, alt } }));
  });

/** @throws {ConnectError} as `savePicture` */
export const removePicture = (db: Db, ref: FormRef): Promise<void> =>
  db.transaction().execute((tx) => changePage(tx, ref, () => ({ picture: null })));

async function changePage(
  tx: Tx,
  ref: FormRef,
  change: (page: FormPageSettings) => Pick<FormPageSettings, 'picture'>,
) {
  const { draft, draft_revision } = await findDraft(tx, ref);
  const page = draft.page ?? DEFAULT_FORM_PAGE;
  const { numUpdatedRows } = await forOrganization(tx, ref.organizationId)
    .updateTable('form')
    .set({
      draft: JSON.stringify({ ...draft, page: { ...page, ...change(page) } }),
      draft_revision: draft_revision + 1,
    })
    .where('id', '=', ref.id)
    .where('draft_revision', '=', draft_revision)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw draftChanged();
  await removeUnusedPictures(tx, ref.organizationId);
}

/** Deletes the organization's pictures that neither a draft nor a version of a form has. */
const removeUnusedPictures = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .deleteFrom('form_picture')
    .where(
      sql<boolean>`not exists (
        select from form where form.organization_id = ${organizationId}
        and form.draft #>> '{page,picture,hash}' = form_picture.hash)`,
    )
    .where(
      sql<boolean>`not exists (
        select from form_version where form_version.organization_id = ${organizationId}
        and form_version.settings #>> '{page,picture,hash}' = form_picture.hash)`,
    )
    .execute();
