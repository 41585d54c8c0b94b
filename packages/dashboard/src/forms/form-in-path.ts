import type { Deps } from '../pages/deps.ts';
import { findDraft, type FormRef } from '@connect-embed/api/resources/forms/edit-form';
import type { DashboardContext } from '../pages/env.ts';
import { organizationPath } from '../pages/render-page.ts';

/** The form that the path of the page names. */
export const formRef = (c: DashboardContext): FormRef => ({
  organizationId: c.var.organization.organizationId,
  id: c.req.param('id') ?? '',
});

/** @throws {ConnectError} `not_found` */
export const loadForm = (c: DashboardContext, { db }: Pick<Deps, 'db'>) =>
  findDraft(db, formRef(c));

export const formPath = (c: DashboardContext, page = ''): string =>
  organizationPath(c, `/forms/${c.req.param('id')}${page}`);
