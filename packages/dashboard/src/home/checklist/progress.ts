import { sql } from 'kysely';
import type { Db } from '@connect-embed/api/db/schema';

/** What an organization has done to take donations on its website. Computed from its data. */
export interface Progress {
  takesPayments: boolean;
  /** The newest published form, or else the newest draft. */
  formId: string | null;
  formSlug: string | null;
  isPublished: boolean;
  /** A server can have a key with which it shows forms. */
  hasServerKey: boolean;
  hasSite: boolean;
  /** A form was shown on a page. */
  isFormShown: boolean;
  hasDonation: boolean;
  /** A donation of real money that was paid here, not imported. */
  hasLiveDonation: boolean;
}

/** Loads the progress of an organization, in one statement. */
export async function loadProgress(db: Db, organizationId: string): Promise<Progress> {
  const { rows } = await sql<Progress>`
    select
      exists (select from processor_account
        where organization_id = organization.id and charges_enabled) as "takesPayments",
      form.id as "formId", form.slug as "formSlug",
      form.live_version is not null as "isPublished",
      exists (select from api_key
        where organization_id = organization.id and revoked_at is null
          and 'payments:write' = any(scopes)) as "hasServerKey",
      exists (select from allowed_site where organization_id = organization.id) as "hasSite",
      organization.form_shown_at is not null as "isFormShown",
      exists (select from donation where organization_id = organization.id) as "hasDonation",
      exists (select from donation where organization_id = organization.id and livemode
          and processor_payment_intent_id is not null) as "hasLiveDonation"
    from organization
    left join lateral (
      select id, slug, live_version from form
      where organization_id = organization.id
      order by live_version is null, closed_at is not null, created_at desc limit 1) as form on true
    where organization.id = ${organizationId}`.execute(db);
  return rows[0]!;
}

/** Marks the checklist of an organization as completed, or hides it. */
export const closeChecklist = (db: Db, organizationId: string) =>
  db
    .updateTable('organization')
    .set({ checklist_closed_at: new Date() })
    .where('id', '=', organizationId)
    .where('checklist_closed_at', 'is', null)
    .execute();
