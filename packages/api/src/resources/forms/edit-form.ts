import {
  completeTerms,
  ConnectError,
  FormSlug,
  invalidRequest,
  MAX_DONATION_CENTS,
  MIN_DONATION_CENTS,
  notFound,
  type DonationTermsInput,
  type FormSettings,
} from '@connect-embed/contract';
import { sql, type Transaction } from 'kysely';
import { isUniqueViolation } from '../../db/constraint-errors.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Database, Db } from '../../db/schema.ts';
import { findById, isId, newId } from '../../lib/id.ts';
import { findDonationTarget, findFundChoices } from '../../payments/donation-target.ts';
import { toSlug } from '../catalogue/slug.ts';
import { FORM_STATUS } from './forms.ts';

/** Identifies a form of an organization. */
export interface FormRef {
  organizationId: string;
  id: string;
}

/** What a member edits of a form. */
export interface FormInput {
  name: string;
  /** An empty slug is derived from the name. */
  slug: string;
  terms: DonationTermsInput;
}

export type FormRow = Awaited<ReturnType<typeof findForm>>;

/**
 * Finds a form of an organization, with its status.
 *
 * @throws {ConnectError} `not_found`
 */
export async function findForm(db: Db, { organizationId, id }: FormRef) {
  return await findById(
    'form',
    id,
    forOrganization(db, organizationId)
      .selectFrom('form')
      .selectAll()
      .select([FORM_STATUS.as('status'), HAS_UNPUBLISHED_CHANGES.as('has_unpublished_changes')])
      .where('id', '=', id),
  );
}

/** SQL condition that the draft differs from the live version. */
const HAS_UNPUBLISHED_CHANGES = sql<boolean>`form.draft is distinct from (
  select settings from form_version
  where form_version.form_id = form.id and form_version.version = form.live_version)`;

/**
 * Creates a form as a draft. Pages cannot show it until it is published.
 *
 * @returns the id of the form
 * @throws {ConnectError} `invalid_request` naming the field that is not valid
 */
export async function createForm(
  db: Db,
  organizationId: string,
  { name, slug, terms }: FormInput,
): Promise<string> {
  const id = newId('form');
  const draft = await completeSettings(db, organizationId, terms);
  await forOrganization(db, organizationId)
    .insertInto('form', {
      id,
      name,
      slug: requireSlug(slug || toSlug(name) || 'form'),
      draft: JSON.stringify(draft),
    })
    .execute()
    .catch(throwSlugConflict);
  return id;
}

/**
 * Saves the draft of a form. The published version does not change.
 *
 * @param revision the revision of the draft that the member has edited
 * @throws {ConnectError} `conflict` if another member has saved the form since; `invalid_request` naming
 *   the field that is not valid, or `slug` for another slug of a published form, which pages contain
 */
export async function saveDraft(
  db: Db,
  ref: FormRef,
  { name, slug, terms }: FormInput,
  revision: number,
): Promise<void> {
  const form = await findForm(db, ref);
  const newSlug = requireSlug(slug || form.slug);
  if (newSlug !== form.slug && form.live_version !== null) {
    throw invalidRequest('slug', 'cannot be changed: pages contain the name of a published form.');
  }
  const draft = await completeSettings(db, ref.organizationId, terms);
  const { numUpdatedRows } = await forOrganization(db, ref.organizationId)
    .updateTable('form')
    .set({ name, slug: newSlug, draft: JSON.stringify(draft), draft_revision: revision + 1 })
    .where('id', '=', ref.id)
    .where('draft_revision', '=', revision)
    .executeTakeFirst()
    .catch(throwSlugConflict);
  if (numUpdatedRows === 0n) {
    const message =
      'Another member has changed this form since you opened it. Open it again in a second window to see the change.';
    throw new ConnectError('conflict', message);
  }
}

/**
 * Publishes the draft as a new version, which pages show from then on. Opens a closed form again. A
 * draft that equals the live version makes no new version.
 *
 * @param personId the member who publishes it
 * @throws {ConnectError} `invalid_request` if its fund or campaign has been archived, `not_found`
 */
export async function publishForm(db: Db, ref: FormRef, personId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const form = await lockForm(tx, ref);
    const { terms } = form.draft;
    const { organizationId } = ref;
    await findDonationTarget(tx, organizationId, terms);
    await findFundChoices(
      tx,
      organizationId,
      terms.fund_choices.map(({ id }) => id),
    );
    const newest = await findNewestVersion(tx, ref);
    const isUnchanged =
      newest !== undefined && JSON.stringify(newest.settings) === JSON.stringify(form.draft);
    const version = isUnchanged ? newest.version : (newest?.version ?? 0) + 1;
    const organization = forOrganization(tx, organizationId);
    if (!isUnchanged) {
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
  });
}

/**
 * Closes a published form. Pages with it say that it is closed, and open sessions accept no further
 * donation.
 *
 * @throws {ConnectError} `conflict` if it was never published, `not_found`
 */
export async function closeForm(db: Db, ref: FormRef): Promise<void> {
  const { live_version } = await findForm(db, ref);
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
  const { id } = await findForm(db, ref);
  await forOrganization(db, ref.organizationId)
    .updateTable('form')
    .set({ closed_at: null })
    .where('id', '=', id)
    .execute();
}

/**
 * Deletes a form that was never published.
 *
 * @throws {ConnectError} `conflict` if it was published, because donations and pages refer to it
 */
export async function deleteDraftForm(db: Db, ref: FormRef): Promise<void> {
  const { id } = await findForm(db, ref);
  const { numDeletedRows } = await forOrganization(db, ref.organizationId)
    .deleteFrom('form')
    .where('id', '=', id)
    .where('live_version', 'is', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) {
    const message = 'This form was published and cannot be deleted. Close it instead.';
    throw new ConnectError('conflict', message, { code: 'resource_in_use' });
  }
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
  return row;
}

const findNewestVersion = (tx: Transaction<Database>, { organizationId, id }: FormRef) =>
  forOrganization(tx, organizationId)
    .selectFrom('form_version')
    .select(['version', 'settings'])
    .where('form_id', '=', id)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();

async function lockForm(tx: Transaction<Database>, { organizationId, id }: FormRef) {
  return await findById(
    'form',
    id,
    forOrganization(tx, organizationId)
      .selectFrom('form')
      .select(['id', 'draft'])
      .where('id', '=', id)
      .forUpdate(),
  );
}

/**
 * Completes the terms with their defaults and checks that they can be published.
 *
 * @throws {ConnectError} `invalid_request` naming the field
 */
async function completeSettings(
  db: Db,
  organizationId: string,
  input: DonationTermsInput,
): Promise<FormSettings> {
  const funds = await findFundChoices(db, organizationId, input.fund_choice_ids);
  const terms = completeTerms(input, { min: MIN_DONATION_CENTS, max: MAX_DONATION_CENTS }, funds);
  await findDonationTarget(db, organizationId, terms);
  return { terms };
}

function requireSlug(slug: string): string {
  const parsed = FormSlug.safeParse(slug);
  if (!parsed.success) throw invalidRequest('slug', 'must be lower-case words and hyphens.');
  return parsed.data;
}

function throwSlugConflict(cause: unknown): never {
  throw isUniqueViolation(cause) ? invalidRequest('slug', 'is taken by another form.') : cause;
}
