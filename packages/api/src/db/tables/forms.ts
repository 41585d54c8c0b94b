import type { FormSettings } from '@connect-embed/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** A donation form, edited in the dashboard: docs/decisions/0097-forms.md */
interface FormTable {
  id: string;
  organization_id: string;
  /** The name by which pages select the form. Unique within an organization. */
  slug: string;
  name: string;
  draft: JSONColumnType<FormSettings>;
  /** Increased by each change of the draft. */
  draft_revision: Generated<number>;
  /** The version that pages show. Null until the form is first published. */
  live_version: number | null;
  /** Set while the form accepts no donations. */
  closed_at: Date | null;
  created_at: ColumnType<Date, Date | undefined, never>;
}

/** A published version of a form. It never changes. */
interface FormVersionTable {
  organization_id: string;
  form_id: string;
  /** Counts from 1. */
  version: number;
  settings: JSONColumnType<FormSettings>;
  /** Id of the member. Null if that person has been deleted. */
  published_by: string | null;
  published_at: ColumnType<Date, Date | undefined, never>;
}

/** Settings that a preview in the dashboard shows for an hour. */
interface FormPreviewTable {
  id: string;
  organization_id: string;
  settings: JSONColumnType<FormSettings>;
  theme: 'light' | 'dark';
  language: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

/** A website that may show the forms and tables of an organization. */
interface AllowedSiteTable {
  id: string;
  organization_id: string;
  /** An origin, or `https://*.example.org` for every subdomain. */
  origin: string;
  created_at: ColumnType<Date, Date | undefined, never>;
}

/** A website that asks to be allowed. */
interface AllowedSiteRequestTable {
  id: string;
  organization_id: string;
  origin: string;
  created_at: ColumnType<Date, Date | undefined, Date>;
  dismissed_at: Date | null;
}

export interface FormTables {
  allowed_site: AllowedSiteTable;
  allowed_site_request: AllowedSiteRequestTable;
  form: FormTable;
  form_preview: FormPreviewTable;
  form_version: FormVersionTable;
}
