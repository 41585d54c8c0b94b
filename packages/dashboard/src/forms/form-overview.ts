import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { FormRow } from '@connect-embed/api/resources/forms/edit-form';
import { listVersions } from '@connect-embed/api/resources/forms/form-versions';
import { loadFormTotals } from '@connect-embed/api/resources/forms/form-totals';
import type { Deps } from '../pages/deps.ts';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { dateElement, exactTimeElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext } from '../pages/env.ts';
import { hasPermission } from '../pages/navigation.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { badge, figures, table } from '../pages/table.ts';
import { formPath, loadForm } from './form-in-path.ts';
import { statusBadge } from './list.ts';
import { allowScript, FORMS_SCRIPT_PATH } from '../pages/script.ts';
import { shareSummary } from './share/share-page.ts';

/** Renders the page of one form: totals, publication, code for websites, and versions. */
export async function renderFormOverview(c: DashboardContext, deps: Deps) {
  const form = await loadForm(c, deps);
  const versions = await listVersions(deps.db, {
    organizationId: c.var.organization.organizationId,
    id: form.id,
  });
  allowScript(c, deps);
  const mayEdit = hasPermission(c.var.organization, 'admin');
  return renderPage(c, {
    title: form.name,
    backLink: { href: organizationPath(c, '/forms'), text: 'Forms' },
    content: html`${await totals(c, deps, form)} ${publication(c, form, mayEdit)}
      ${form.status === 'draft' ? '' : await shareSummary(c, deps, form)}
      ${versions.length > 0 ? versionList(c, form, versions) : ''}
      <script type="module" src="${FORMS_SCRIPT_PATH}"></script>`,
  });
}

async function totals(c: DashboardContext, { db }: Deps, { id, status }: FormRow) {
  const { organizationId, permissions, currency, timeZone } = c.var.organization;
  if (status === 'draft' || !permissions.has('donations:read')) return html``;
  const formTotals = (await loadFormTotals(db, organizationId, [id])).get(id)!;
  const { raised_cents, donations, donors, last_donation_at } = formTotals;
  return figures([
    ['Raised', formatMoney(raised_cents, currency, LOCALE)],
    ['Donations', donations.toLocaleString(LOCALE)],
    ['Donors', donors.toLocaleString(LOCALE)],
    ['Last donation', last_donation_at ? dateElement(last_donation_at, timeZone) : 'None'],
  ]);
}

/** Renders the status of the form, with the buttons that change it. */
function publication(c: DashboardContext, form: FormRow, mayEdit: boolean) {
  const { status, has_unpublished_changes: isChanged } = form;
  const text = {
    draft: 'Nobody can donate through this form yet. Publish it to use it on your website.',
    live: isChanged
      ? 'Donors see the published version. The draft has changes that are not published.'
      : 'Donors see the current settings.',
    closed: 'The form accepts no donations, and pages say so.',
  }[status];
  return html`<section class="panel" aria-labelledby="publication">
    <h2 id="publication">Publication</h2>
    <p>
      ${statusBadge(status)}
      ${status !== 'draft' && isChanged ? badge('Unpublished changes', 'pending') : ''}
    </p>
    <p class="muted">${text}</p>
    ${mayEdit ? buttons(c, form) : ''}
  </section>`;
}

function buttons(c: DashboardContext, form: FormRow) {
  const { status, draft_revision, has_unpublished_changes: isChanged } = form;
  const publish = (text: string) =>
    html`<form method="post" action="${formPath(c, '/publish')}">
      <input type="hidden" name="draft_revision" value="${draft_revision}" />
      <button>${text}</button>
    </form>`;
  const open = html`<form method="post" action="${formPath(c, '/open')}">
    <button class="${isChanged ? 'secondary' : ''}">Open form again</button>
  </form>`;
  return html`<div class="buttons">
    ${status === 'draft' ? publish('Publish form') : ''}
    ${status === 'live' && isChanged ? publish('Publish changes') : ''}
    ${status === 'closed' && isChanged ? publish('Publish changes and open form') : ''}
    ${status === 'closed' ? open : ''}
    <a class="button secondary" href="${formPath(c, '/edit')}">Edit form</a>
    ${status === 'live' ? html`<a class="button danger" href="${formPath(c, '/close')}">Close form</a>` : ''}
    ${status === 'draft' ? html`<a class="button danger" href="${formPath(c, '/delete')}">Delete draft</a>` : ''}
  </div>`;
}

type Version = Awaited<ReturnType<typeof listVersions>>[number];

const versionList = (c: DashboardContext, { live_version }: FormRow, versions: Version[]) =>
  html`<h2>Versions</h2>
    ${table(
      'Versions',
      [
        {
          head: 'Version',
          as: 'rowHeader',
          cell: ({ version }) =>
            html`<a href="${formPath(c, `/versions/${version}`)}">Version ${version}</a>
              ${version === live_version ? badge('Published', 'positive') : ''}`,
        },
        {
          head: 'Published on',
          cell: ({ published_at }) => exactTimeElement(published_at, c.var.organization.timeZone),
        },
        { head: 'Published by', cell: ({ published_by }) => published_by },
      ],
      versions,
    )}`;
