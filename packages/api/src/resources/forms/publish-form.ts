import { ConnectError, type FormSettings } from '@connect-embed/contract';
import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { findById } from '../../lib/id.ts';
import { findDonationTarget, findFundChoices } from '../../payments/donation-target.ts';
import {
  comparable,
  draftChanged,
  findDraft,
  saveDraft,
  type FormInput,
  type FormRef,
} from './edit-form.ts';

interface Publication {
  /** The revision of the draft that the member has seen. */
  revision: number;
  /** The member who publishes it. */
  personId: string;
}

/**
 * Publishes the draft as a new version, which pages show from then on. Opens a closed form again. A
 * draft that equals the newest version makes no new version.
 *
 * @throws {ConnectError} `conflict` if another member has changed the draft, or if its fund or campaign
 *   has been archived; `not_found`
 */
export const publishForm = (db: Db, ref: FormRef, publication: Publication): Promise<void> =>
  db.transaction().execute((tx) => publishDraft(tx, ref, publication));

/**
 * Saves the draft and publishes it. If it cannot be published, it is not saved either.
 *
 * @throws {ConnectError} those of `saveDraft` and `publishForm`
 */
export const saveAndPublish = (
  db: Db,
  ref: FormRef,
  input: FormInput,
  { revision, personId }: Publication,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await saveDraft(tx, ref, input, revision);
    await publishDraft(tx, ref, { revision: revision + 1, personId });
  });

async function publishDraft(tx: Tx, ref: FormRef, { revision, personId }: Publication) {
  const form = await lockForm(tx, ref);
  if (form.draft_revision !== revision) throw draftChanged();
  await requireUsableTargets(tx, ref.organizationId, form.draft);
  const newest = await findNewestVersion(tx, ref);
  const version = newest?.is_unchanged ? newest.version : (newest?.version ?? 0) + 1;
  const organization = forOrganization(tx, ref.organizationId);
  if (!newest?.is_unchanged) {
    await organization
      .insertInto('form_version', {
        form_id: form.id,
        version,
        settings: JSON.stringify(form.draft),
        published_by: personId,
      })
      .execute();
  }
  await organization
    .updateTable('form')
    .set({ live_version: version, closed_at: null })
    .where('id', '=', form.id)
    .execute();
}

/** @throws {ConnectError} `conflict` if a fund or the campaign of the settings has been archived */
async function requireUsableTargets(
  tx: Tx,
  organizationId: string,
  { terms }: FormSettings,
): Promise<void> {
  const fundIds = terms.fund_choices.map(({ id }) => id);
  try {
    await findDonationTarget(tx, organizationId, terms);
    await findFundChoices(tx, organizationId, fundIds);
  } catch (cause) {
    if (!(cause instanceof ConnectError) || cause.type !== 'invalid_request') throw cause;
    const message =
      'A fund or the campaign of this form has been archived. Edit the form, select another one, and publish it again.';
    throw new ConnectError('conflict', message, { cause });
  }
}

/** Finds the newest version of a form, and whether the draft still equals it. */
const findNewestVersion = (tx: Tx, { organizationId, id }: FormRef) =>
  forOrganization(tx, organizationId)
    .selectFrom('form_version')
    .innerJoin('form', 'form.id', 'form_version.form_id')
    .select('form_version.version')
    .select(
      sql<boolean>`${comparable('form.draft')} = ${comparable('form_version.settings')}`.as(
        'is_unchanged',
      ),
    )
    .where('form_id', '=', id)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();

async function lockForm(tx: Tx, { organizationId, id }: FormRef) {
  return await findById(
    'form',
    id,
    forOrganization(tx, organizationId)
      .selectFrom('form')
      .select(['id', 'draft', 'draft_revision'])
      .where('id', '=', id)
      .forUpdate(),
  );
}

/**
 * Closes a published form. Pages with it say that it is closed, and open sessions accept no further
 * donation.
 *
 * @throws {ConnectError} `conflict` if it was never published, `not_found`
 */
export async function closeForm(db: Db, ref: FormRef): Promise<void> {
  const { live_version } = await findDraft(db, ref);
  if (live_version === null) throw new ConnectError('conflict', 'This form was never published.');
  await forOrganization(db, ref.organizationId)
    .updateTable('form')
    .set({ closed_at: new Date() })
    .where('id', '=', ref.id)
    .where('closed_at', 'is', null)
    .execute();
}

/**
 * Opens a closed form again with the version that it had.
 *
 * @throws {ConnectError} `not_found`
 */
export async function reopenForm(db: Db, ref: FormRef): Promise<void> {
  const { id } = await findDraft(db, ref);
  await forOrganization(db, ref.organizationId)
    .updateTable('form')
    .set({ closed_at: null })
    .where('id', '=', id)
    .execute();
}
