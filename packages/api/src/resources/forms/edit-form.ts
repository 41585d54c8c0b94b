import {
  completeTerms,
  ConnectError,
  DEFAULT_FORM,
  DEFAULT_FORM_PAGE,
  FormSettings,
  FormSlug,
  invalidRequest,
  DONATION_BOUNDS_CENTS,
  DonationTermsInput,
  type FormSettingsInput,
} from '@connect-embed/contract';
import { validate } from '@connect-embed/contract/hono';
import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { findById, newId } from '../../lib/id.ts';
import { findDonationTarget, findFundChoices } from '../../payments/donation-target.ts';
import { throwSlugConflict, toSlug } from '../catalogue/slug.ts';
import { FORM_STATUS } from './forms.ts';

/** Identifies a form of an organization. */
export interface FormRef {
  organizationId: string;
  id: string;
}

export interface FormInput extends FormSettingsInput {
  name: string;
  /** An empty slug is derived from the name. */
  slug: string;
}

export type FormRow = Awaited<ReturnType<typeof findDraft>>;

/**
 * Finds a form of an organization with its draft and status.
 *
 * @throws {ConnectError} `not_found`
 */
export async function findDraft(db: Db, { organizationId, id }: FormRef) {
  const row = await findById(
    'form',
    id,
    forOrganization(db, organizationId)
      .selectFrom('form')
      .selectAll()
      .select([
        FORM_STATUS.as('status'),
        HAS_UNPUBLISHED_CHANGES.as('has_unpublished_changes'),
        LIVE_DISPLAY.as('live_display'),
      ])
      .where('id', '=', id),
  );
  return { ...row, draft: FormSettings.parse(row.draft) };
}

/**
 * SQL of settings for comparison: without the names of the funds to choose from, because a session
 * loads their present names.
 */
export const comparable = (settings: string) => {
  const column = sql.ref(settings);
  return sql`jsonb_set(${column}, '{terms,fund_choices}',
    jsonb_path_query_array(${column}, '$.terms.fund_choices[*].id'))`;
};

/** SQL condition that the draft differs from the live version. */
const HAS_UNPUBLISHED_CHANGES = sql<boolean>`${comparable('form.draft')} is distinct from (
  select ${comparable('form_version.settings')} from form_version
  where form_version.form_id = form.id and form_version.version = form.live_version)`;

/** SQL of how pages show the live version. Null for a draft, and for a version from before the setting. */
const LIVE_DISPLAY = sql<FormSettings['display'] | null>`(
  select settings ->> 'display' from form_version
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
  { name, slug, ...settings }: FormInput,
): Promise<string> {
  const id = newId('form');
  const draft = await completeSettings(db, organizationId, settings);
  await forOrganization(db, organizationId)
    .insertInto('form', {
      id,
      name,
      slug: slug ? requireSlug(slug) : await findFreeSlug(db, organizationId, toSlug(name)),
      draft: JSON.stringify(draft),
    })
    .execute()
    .catch((cause: unknown) => throwSlugConflict('form', cause));
  return id;
}

/** Returns a slug that no form has: `spring`, or else `spring-2`, `spring-3` and so on. */
async function findFreeSlug(db: Db, organizationId: string, wanted: string): Promise<string> {
  const base = wanted.slice(0, 55).replace(/-$/, '') || 'form';
  const rows = await forOrganization(db, organizationId)
    .selectFrom('form')
    .select('slug')
    .where('slug', 'like', `${base}%`)
    .execute();
  const taken = new Set([DEFAULT_FORM, ...rows.map(({ slug }) => slug)]);
  const numbered = (number: number) => (number === 1 ? base : `${base}-${number}`);
  let number = 1;
  while (taken.has(numbered(number))) number += 1;
  return numbered(number);
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
  { name, slug, ...settings }: FormInput,
  revision: number,
): Promise<void> {
  const form = await findDraft(db, ref);
  const newSlug = requireSlug(slug || form.slug);
  if (newSlug !== form.slug && form.live_version !== null) {
    throw invalidRequest('slug', 'cannot be changed: pages contain the name of a published form.');
  }
  const draft = await completeSettings(db, ref.organizationId, settings);
  const { numUpdatedRows } = await forOrganization(db, ref.organizationId)
    .updateTable('form')
    .set({ name, slug: newSlug, draft: JSON.stringify(draft), draft_revision: revision + 1 })
    .where('id', '=', ref.id)
    .where('draft_revision', '=', revision)
    // Another member may publish the form at this moment.
    .where(({ or, eb }) => or([eb('live_version', 'is', null), eb('slug', '=', newSlug)]))
    .executeTakeFirst()
    .catch((cause: unknown) => throwSlugConflict('form', cause));
  if (numUpdatedRows === 0n && !(await isSaved(db, ref, { name, slug: newSlug, draft })))
    throw draftChanged();
}

/** Whether the form is already as it should be saved, for example after a double click. */
async function isSaved(
  db: Db,
  { organizationId, id }: FormRef,
  { name, slug, draft }: { name: string; slug: string; draft: FormSettings },
): Promise<boolean> {
  const row = await forOrganization(db, organizationId)
    .selectFrom('form')
    .select('id')
    .where('id', '=', id)
    .where('name', '=', name)
    .where('slug', '=', slug)
    .where(sql<boolean>`draft = ${JSON.stringify(draft)}::jsonb`)
    .executeTakeFirst();
  return row !== undefined;
}

export const draftChanged = () =>
  new ConnectError(
    'conflict',
    'Another member has changed this form since you opened it. Open it in a second window to see the change.',
  );

/**
 * Deletes a form that was never published.
 *
 * @throws {ConnectError} `conflict` if it was published, because donations and pages refer to it
 */
export async function deleteDraftForm(db: Db, ref: FormRef): Promise<void> {
  const { id } = await findDraft(db, ref);
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
 * Completes the settings with their defaults and checks that they can be published.
 *
 * @throws {ConnectError} `invalid_request` naming the field
 */
async function completeSettings(
  db: Db,
  organizationId: string,
  { terms: termsInput, page = DEFAULT_FORM_PAGE, ...settings }: FormSettingsInput,
): Promise<FormSettings> {
  const valid = validate(DonationTermsInput, termsInput, 'terms');
  const funds = await findFundChoices(db, organizationId, valid.fund_choice_ids);
  const terms = completeTerms(valid, DONATION_BOUNDS_CENTS, funds);
  await findDonationTarget(db, organizationId, terms);
  return validate(FormSettings, { ...settings, terms, page }, 'settings');
}

function requireSlug(slug: string): string {
  if (slug === DEFAULT_FORM) {
    throw invalidRequest('slug', 'is reserved for pages that name no form. Choose another name.');
  }
  const parsed = FormSlug.safeParse(slug);
  if (!parsed.success) throw invalidRequest('slug', 'must be lower-case words and hyphens.');
  return parsed.data;
}
