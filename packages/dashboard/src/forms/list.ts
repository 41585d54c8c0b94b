import { formatMoney, type Form } from '@connect-embed/contract';
import { html } from 'hono/html';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import { FORM_STATUS } from '@connect-embed/api/resources/forms/forms';
import {
  loadFileFormTotals,
  loadFormTotals,
  type FormTotals,
} from '@connect-embed/api/resources/forms/form-totals';
import { readPage } from '@connect-embed/api/resources/lists/page';
import type { Html } from '@connect-embed/api/lib/html';
import type { Deps } from '../pages/deps.ts';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { dateElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext } from '../pages/env.ts';
import { hasPermission } from '../pages/navigation.ts';
import { listView } from '../pages/list.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { badge, table, type Column } from '../pages/table.ts';

/** A row of the list. The totals are absent for a member who may not see donations. */
interface FormListRow {
  id: string;
  name: string;
  slug: string;
  status: Form['status'];
  created_at: Date;
  totals: FormTotals | undefined;
}

export const statusBadge = (status: Form['status']) => {
  if (status === 'draft') return badge('Draft', 'pending');
  return status === 'live' ? badge('Live', 'positive') : badge('Closed', 'neutral');
};

/** Renders the list of forms with what each has raised. */
export async function renderFormList(c: DashboardContext, deps: Deps) {
  const path = organizationPath(c, '/forms');
  const { organizationId, permissions } = c.var.organization;
  const list = await listView(c, {
    label: 'Forms',
    path,
    table: 'form',
    read: async (page) => {
      const rows = forOrganization(deps.db, organizationId)
        .selectFrom('form')
        .select(['form.id', 'form.name', 'form.slug', 'form.created_at'])
        .select(FORM_STATUS.as('status'));
      const forms = await readPage(deps.cursorEncrypter, page, rows, (row) => row);
      const ids = forms.data.map(({ id }) => id);
      const totals = permissions.has('donations:read')
        ? await loadFormTotals(deps.db, organizationId, ids)
        : undefined;
      const data = forms.data.map((row) => ({ ...row, totals: totals?.get(row.id) }));
      return { ...forms, data };
    },
    columns: columnsAt(path, c.var.organization),
    empty: 'No forms yet. Create the first one and put it on your website.',
  });
  const newForm = html`<a class="button" href="${path}/new">New form</a>`;
  const content = html`<div class="head">
      <p class="muted">
        Donation forms for your website. Changes are public after you publish them.
      </p>
      ${hasPermission(c.var.organization, 'admin') ? newForm : ''}
    </div>
    ${list} ${permissions.has('donations:read') ? await fileForms(c, deps) : ''}`;
  return renderPage(c, { title: 'Forms', content });
}

/** Renders the forms of the server's configuration file; empty if no donation was made through one. */
async function fileForms(c: DashboardContext, { db }: Deps): Promise<Html | ''> {
  const { organization } = c.var;
  const forms = await loadFileFormTotals(db, organization.organizationId);
  if (forms.length === 0) return '';
  const columns: Column<{ form: string; totals: FormTotals }>[] = [
    { head: 'Form', as: 'rowHeader', cell: ({ form }) => form },
    { head: 'Status', cell: () => badge('In a file', 'neutral') },
    ...totalColumns(organization),
  ];
  return html`<h2>In a file</h2>
    <p class="muted">
      Whoever runs your website has set these forms up in a file of its server, and can change them
      there. A form is listed once somebody has donated through it.
    </p>
    ${table(
      'Forms in a file',
      columns,
      forms.map((totals) => ({ form: totals.form, totals })),
    )}`;
}

const columnsAt = (path: string, organization: Units): Column<FormListRow>[] => [
  {
    head: 'Form',
    as: 'rowHeader',
    cell: ({ id, name, slug }) =>
      html`<a href="${path}/${id}">${name}</a><br /><code class="small muted">${slug}</code>`,
  },
  { head: 'Status', cell: ({ status }) => statusBadge(status) },
  ...totalColumns(organization),
];

interface Units {
  currency: string;
  timeZone: string;
}

const totalColumns = ({ currency, timeZone }: Units): Column<Pick<FormListRow, 'totals'>>[] => [
  {
    head: 'Raised',
    as: 'number',
    cell: ({ totals }) => (totals ? formatMoney(totals.raised_cents, currency, LOCALE) : null),
  },
  {
    head: 'Donors',
    as: 'number',
    cell: ({ totals }) => totals?.donors.toLocaleString(LOCALE) ?? null,
  },
  {
    head: 'Last donation',
    cell: ({ totals }) =>
      totals?.last_donation_at ? dateElement(totals.last_donation_at, timeZone) : null,
  },
];
