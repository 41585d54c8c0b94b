import { html } from 'hono/html';
import type { FormRow } from '@connect-embed/api/resources/forms/edit-form';
import { findVersion, restoreVersion } from '@connect-embed/api/resources/forms/form-versions';
import type { Deps } from '../pages/deps.ts';
import { createPreview } from '@connect-embed/api/resources/forms/form-preview';
import { exactTimeElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext } from '../pages/env.ts';
import { hasPermission } from '../pages/navigation.ts';
import { actionRoutes } from '../pages/actions.ts';
import { renderPage } from '../pages/render-page.ts';
import { formPath, formRef, loadForm } from './form-in-path.ts';
import { previewFrame } from './preview-view.ts';
import { allowScript } from '../pages/script.ts';

/** Renders a published version of a form, with a button that makes it the draft. */
export async function renderVersion(c: DashboardContext, deps: Deps) {
  const form = await loadForm(c, deps);
  const { version, settings, published_at } = await findVersion(
    deps.db,
    formRef(c),
    versionInPath(c),
  );
  allowScript(c, deps);
  const { organizationId, timeZone } = c.var.organization;
  const preview = await createPreview(deps.db, organizationId, {
    settings: { ...settings, display: 'inline' },
    theme: 'light',
    language: 'en',
  });
  // Without unpublished changes there is nothing to lose, and nothing to confirm.
  const restore = form.has_unpublished_changes
    ? html`<p><a class="button secondary" href="${versionPath(c)}/restore">Restore as draft</a></p>`
    : html`<div class="buttons">
        <form method="post" action="${versionPath(c)}/restore">
          <button class="secondary">Restore as draft</button>
        </form>
      </div>`;
  return renderPage(c, {
    title: `${form.name}, version ${version}`,
    backLink: { href: formPath(c), text: form.name },
    content: html`<p class="muted">Published on ${exactTimeElement(published_at, timeZone)}.</p>
      ${hasPermission(c.var.organization, 'admin') ? restore : ''}
      <section class="preview" aria-label="Preview">${previewFrame(preview)}</section>`,
  });
}

/** The button of a version's page: it replaces the draft with the version. */
export const versionActions = (deps: Deps) =>
  actionRoutes<FormRow>(
    {
      load: (c) => loadForm(c, deps),
      page: ({ name }, c) => ({ href: formPath(c), text: name }),
    },
    {
      restore: {
        permission: 'admin',
        confirmation: () => ({
          title: 'Replace the draft?',
          text: 'The draft has changes that are not published. They will be lost.',
          buttonLabel: 'Replace draft',
        }),
        run: (_, c) => restoreVersion(deps.db, formRef(c), versionInPath(c)),
        success: 'Version restored as the draft. Publish it to show it on pages.',
      },
    },
  );

/** The number of the version in the path. Another text gives 0, which no version has. */
function versionInPath(c: DashboardContext): number {
  const text = c.req.param('version') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

const versionPath = (c: DashboardContext) => formPath(c, `/versions/${versionInPath(c)}`);
