import type { List } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import {
  archive,
  deleteUnused,
  isUsed,
  restore,
  type CatalogueTable,
  type CatalogueRef,
} from '@connect-embed/api/resources/catalogue/archive';
import type { PageRequest } from '@connect-embed/api/resources/lists/page';
import type { MembershipWithSettings } from '@connect-embed/api/users/membership';
import type { Html } from '@connect-embed/api/lib/html';
import { requirePermission } from '../pages/require-permission.ts';
import { archivedNotice, archiveSection, type CataloguedRow } from './catalogue-view.ts';
import { copyField } from '../pages/copy-field.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { allowScript, FORMS_SCRIPT_PATH } from '../pages/script.ts';
import type { FormFields } from '../pages/fields.ts';
import { hasPermission } from '../pages/navigation.ts';
import { actionRoutes } from '../pages/actions.ts';
import type { FieldsOf } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { listView, tabs } from '../pages/list.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import type { Column } from '../pages/table.ts';

interface CatalogueNames {
  table: CatalogueTable;
  /** Page title, for example `Funds`. */
  title: string;
}

/** Defines how the list of funds differs from that of campaigns. */
export interface CatalogueList<Row> extends CatalogueNames {
  /** Explanation of the records for members, in one or two sentences. */
  description: string;
  columns: (path: string, organization: MembershipWithSettings) => Column<Row>[];
  list: (deps: Deps, page: PageRequest, archived: boolean) => Promise<List<Row>>;
}

/** Defines how the pages of one fund differ from those of one campaign. */
export interface CatalogueType<Row extends CataloguedRow, Input> extends CatalogueNames {
  fields: (organization: MembershipWithSettings) => FieldsOf<Input>;
  /** Values of the form for a new record. */
  initialValues: Partial<Input>;
  /** Adds errors that concern several fields. */
  check?: (input: Input, form: FormFields) => void;
  facts: (row: Row, organization: MembershipWithSettings) => Html;
  /**
   * Key figures at the top of the page of one record. `donationsPath` is the URL path of all
   * donations; undefined for a member without `donations:read`.
   */
  summary?: (
    row: Row,
    organization: MembershipWithSettings,
    options: { db: Deps['db']; donationsPath: string | undefined },
  ) => Html | Promise<Html>;
  /** What can be put on a website. */
  websiteSection?: (c: DashboardContext, deps: Deps, id: string) => Promise<Html>;
  find: (db: Deps['db'], ref: CatalogueRef) => Promise<Row>;
  create: (db: Deps['db'], organizationId: string, input: Input) => Promise<string>;
  update: (db: Deps['db'], ref: CatalogueRef, input: Input) => Promise<void>;
}

/** Dashboard pages of funds or campaigns: list, create, edit, archive, restore and delete. */
export function catalogue<Row extends CataloguedRow & Input, Input extends object, ListedRow>(
  deps: Deps,
  type: CatalogueType<Row, Input> & CatalogueList<ListedRow>,
) {
  const creation = creationPage(deps, type);
  const edit = editPage(deps, type);
  return new Hono<DashboardEnv>()
    .get('/', (c) => renderList(c, deps, type))
    .get('/new', requirePermission('admin'), creation.show)
    .post('/', requirePermission('admin'), creation.submit)
    .get('/:id', edit.show)
    .post('/:id', requirePermission('admin'), edit.submit)
    .route('/:id', itemActions(deps, type));
}

async function renderList<Row>(c: DashboardContext, deps: Deps, type: CatalogueList<Row>) {
  const { table, title, description } = type;
  const path = listPath(c, type);
  const archived = c.req.query('show') === 'archived';
  const views = [
    { text: 'Current', href: path, current: !archived },
    { text: 'Archived', href: `${path}?show=archived`, current: archived },
  ];
  const mayEdit = hasPermission(c.var.organization, 'admin');
  const list = await listView(c, {
    label: title,
    path,
    table,
    filters: { archived },
    params: archived ? { show: 'archived' } : {},
    read: (page) => type.list(deps, page, archived),
    columns: type.columns(path, c.var.organization),
    empty: archived ? `No archived ${table}s.` : `No ${table}s yet.`,
  });
  const content = html`<p class="muted">${description}</p>
    <div class="head">
      ${tabs('Show', views)}
      ${mayEdit ? html`<a class="button" href="${path}/new">New ${table}</a>` : ''}
    </div>
    ${list}`;
  return renderPage(c, { title, content });
}

const creationPage = <Row extends CataloguedRow, Input>(
  { db }: Deps,
  type: CatalogueType<Row, Input>,
) =>
  formPage<undefined, Input>({
    load: () => Promise.resolve(undefined),
    title: () => `New ${type.table}`,
    backLink: (_, c) => ({ href: listPath(c, type), text: type.title }),
    action: (_, c) => listPath(c, type),
    fields: (_, c) => type.fields(c.var.organization),
    values: () => type.initialValues,
    ...(type.check && { check: type.check }),
    submitLabel: `Create ${type.table}`,
    save: async (input, _, c) => {
      await type.create(db, c.var.organization.organizationId, input);
      return { path: listPath(c, type), success: `${capitalized(type.table)} created.` };
    },
  });

const editPage = <Row extends CataloguedRow & Input, Input extends object>(
  deps: Deps,
  type: CatalogueType<Row, Input>,
) =>
  formPage<Row, Input>({
    load: (c) => type.find(deps.db, refIn(c)),
    title: ({ name }) => name,
    backLink: (_, c) => ({ href: listPath(c, type), text: type.title }),
    action: ({ id }, c) => `${listPath(c, type)}/${id}`,
    fields: (_, c) => type.fields(c.var.organization),
    values: (row) => row,
    ...(type.check && { check: type.check }),
    submitLabel: 'Save',
    save: async (input, { id }, c) => {
      await type.update(deps.db, refIn(c), input);
      return { path: `${listPath(c, type)}/${id}`, success: `${capitalized(type.table)} saved.` };
    },
    content: (form, row, c) => itemView(c, deps, type, { form, row }),
  });

/**
 * Renders the page of one record: the form for members who may change it, and otherwise its values
 * as text.
 */
async function itemView<Row extends CataloguedRow, Input>(
  c: DashboardContext,
  deps: Deps,
  type: CatalogueType<Row, Input>,
  { form, row }: { form: Html; row: Row },
): Promise<Html> {
  const { organization } = c.var;
  const { table } = type;
  const donationsPath = organization.permissions.has('donations:read')
    ? organizationPath(c, '/donations')
    : undefined;
  const mayEdit = hasPermission(organization, 'admin');
  allowScript(c, deps);
  return html`${archivedNotice(row, organization.timeZone)}
    ${await type.summary?.(row, organization, { db: deps.db, donationsPath })}
    ${mayEdit && !row.archived_at ? form : type.facts(row, organization)}
    ${row.archived_at ? '' : await type.websiteSection?.(c, deps, row.id)}
    <section class="panel">
      ${copyField({
        id: 'record-id',
        label: `ID of this ${table}`,
        hint: 'For links, exports and the code of your website.',
        text: row.id,
      })}
    </section>
    ${
      mayEdit &&
      archiveSection(
        `${listPath(c, type)}/${row.id}`,
        table,
        row,
        await isUsed(deps.db, table, refIn(c)),
      )
    }
    <script type="module" src="${FORMS_SCRIPT_PATH}"></script>`;
}

function itemActions<Row extends CataloguedRow, Input>(
  { db }: Deps,
  type: CatalogueType<Row, Input>,
) {
  const { table } = type;
  const typeName = capitalized(table);
  const target = {
    load: (c: DashboardContext) => type.find(db, refIn(c)),
    page: ({ id, name }: Row, c: DashboardContext) => ({
      href: `${listPath(c, type)}/${id}`,
      text: name,
    }),
  };
  return actionRoutes(target, {
    archive: {
      permission: 'admin',
      run: (_, c) => archive(db, table, refIn(c)),
      success: `${typeName} archived.`,
      redirect: (_, c) => listPath(c, type),
    },
    restore: {
      permission: 'admin',
      run: (_, c) => restore(db, table, refIn(c)),
      success: `${typeName} restored. It is not public yet.`,
    },
    delete: {
      permission: 'admin',
      confirmation: ({ name }) => ({
        title: `Delete ${name}?`,
        text: `“${name}” has no donations. It will be permanently deleted.`,
        buttonLabel: `Delete ${table}`,
      }),
      run: (_, c) => deleteUnused(db, table, refIn(c)),
      success: `${typeName} deleted.`,
      redirect: (_, c) => listPath(c, type),
    },
  });
}

const listPath = (c: DashboardContext, { table }: { table: CatalogueTable }) =>
  organizationPath(c, `/${table}s`);

const refIn = (c: DashboardContext): CatalogueRef => ({
  organizationId: c.var.organization.organizationId,
  id: c.req.param('id') ?? '',
});

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
