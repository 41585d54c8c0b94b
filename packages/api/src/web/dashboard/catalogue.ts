import type { List } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../deps.ts';
import {
  archive,
  deleteUnused,
  isUsed,
  restore,
  type CatalogueTable,
  type CatalogueRef,
} from '../../resources/catalogue/archive.ts';
import type { PageRequest } from '../../resources/lists/page.ts';
import type { Html } from '../../lib/html.ts';
import { requirePermission } from './require-permission.ts';
import {
  formView,
  listView,
  detailView,
  deletionView,
  type CataloguedRow,
} from './catalogue-view.ts';
import type { DashboardEnv, PageContext } from './env.ts';
import { formErrorFlash } from './field-view.ts';
import { formStateOf, readFields, type FormState, type FormFields } from './fields.ts';
import { dashboardPage, timeZoneOf } from './dashboard-layout.ts';
import { hasPermission } from './navigation.ts';
import { PAGE_SIZE } from './page-size.ts';
import { organizationCurrency, runAction } from './run-action.ts';
import type { Column } from './table.ts';

/** Defines how the pages of funds differ from those of campaigns. */
export interface CatalogueType<Row extends CataloguedRow, Input> {
  table: CatalogueTable;
  /** Page title, for example `Funds`. */
  title: string;
  /** Explanation of the records for members, in one or two sentences. */
  description: string;
  columns: (path: string, currency: string, timeZone: string) => Column<Row>[];
  /** Initial values of the form for a new record. */
  initialValues: Record<string, string>;
  values: (row: Row, currency: string) => Record<string, string>;
  fields: (draft: FormState, currency: string) => Html;
  facts: (row: Row, currency: string, timeZone: string) => Html;
  /**
   * Key figures at the top of the page of one record. `donations` is the URL of the record's
   * donations; undefined for a member without `donations:read`.
   */
  summary?: (row: Row, currency: string, donations: string | undefined) => Html;
  read: (fields: FormFields, currency: string) => Input;
  list: (deps: Deps, page: PageRequest, archived: boolean) => Promise<List<Row>>;
  find: (db: Deps['db'], ref: CatalogueRef) => Promise<Row>;
  create: (db: Deps['db'], organizationId: string, input: Input) => Promise<string>;
  update: (db: Deps['db'], ref: CatalogueRef, input: Input) => Promise<void>;
}

/** Dashboard pages of funds or campaigns: list, create, edit, archive, restore and delete. */
export function catalogue<Row extends CataloguedRow, Input>(
  deps: Deps,
  kind: CatalogueType<Row, Input>,
) {
  const { db } = deps;
  const { table } = kind;
  const typeName = table.charAt(0).toUpperCase() + table.slice(1);
  const listPath = (c: Context<DashboardEnv>) =>
    `/dashboard/${c.var.organization.organizationId}/${table}s`;
  const subpageContext = (c: Context<DashboardEnv>): PageContext => ({
    ...c.var.pageContext,
    backLink: { href: listPath(c), text: kind.title },
  });
  const itemRef = (c: Context<DashboardEnv>): CatalogueRef => ({
    organizationId: c.var.organization.organizationId,
    id: c.req.param('id') ?? '',
  });
  const currency = (c: Context<DashboardEnv>) =>
    organizationCurrency(db, c.var.organization.organizationId);
  const form = (c: Context<DashboardEnv>, code: string, draft: FormState, buttonLabel: string) =>
    formView(c.var.pageContext.path, kind.fields(draft, code), buttonLabel);

  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { organizationId } = c.var.organization;
      const archived = c.req.query('show') === 'archived';
      const cursor = c.req.query('cursor');
      const page = {
        table,
        organizationId,
        filters: { archived },
        query: { limit: PAGE_SIZE, cursor },
      };
      const { data, next_cursor: next } = await kind.list(deps, page, archived);
      const columns = kind.columns(listPath(c), await currency(c), timeZoneOf(c.var.pageContext));
      const mayEdit = hasPermission(c.var.organization, 'admin');
      const view = {
        path: listPath(c),
        kind,
        columns,
        rows: data,
        archived,
        cursor,
        next,
        mayEdit,
      };
      return c.html(dashboardPage(c.var.pageContext, kind.title, listView(view)));
    })
    .get('/new', requirePermission('admin'), async (c) => {
      const content = form(
        c,
        await currency(c),
        formStateOf(kind.initialValues),
        `Create ${table}`,
      );
      return c.html(dashboardPage(subpageContext(c), `New ${table}`, content));
    })
    .get('/:id', async (c) => {
      const row = await kind.find(db, itemRef(c));
      const timeZone = timeZoneOf(c.var.pageContext);
      const code = await currency(c);
      const mayEdit = hasPermission(c.var.organization, 'admin');
      const content =
        mayEdit && !row.archived_at
          ? form(c, code, formStateOf(kind.values(row, code)), 'Save')
          : kind.facts(row, code, timeZone);
      const { organizationId, permissions } = c.var.organization;
      const donations = permissions.has('donations:read')
        ? `/dashboard/${organizationId}/donations?${table}=${row.id}`
        : undefined;
      const summary = kind.summary?.(row, code, donations) ?? '';
      const used = mayEdit && (await isUsed(db, table, itemRef(c)));
      const path = `${listPath(c)}/${row.id}`;
      return c.html(
        dashboardPage(
          subpageContext(c),
          row.name,
          detailView({
            path,
            table,
            row,
            content: html`${summary} ${content}`,
            mayEdit,
            used,
            timeZone,
          }),
        ),
      );
    })
    .get('/:id/delete', requirePermission('admin'), async (c) => {
      const { id, name } = await kind.find(db, itemRef(c));
      const content = deletionView(table, name, `${listPath(c)}/${id}`);
      return c.html(dashboardPage(subpageContext(c), `Delete ${name}?`, content));
    })
    .post('/*', requirePermission('admin'))
    .post('/', async (c) => {
      const fields = await readFields(c);
      const code = await currency(c);
      const input = kind.read(fields, code);
      const { organizationId } = c.var.organization;
      const created = await fields.submit(() => kind.create(db, organizationId, input));
      if (created)
        return await c.var.redirectWithFlash(listPath(c), {
          kind: 'success',
          text: `${typeName} created.`,
        });
      const content = form(c, code, fields, `Create ${table}`);
      return c.html(
        dashboardPage(subpageContext(c), `New ${table}`, content, formErrorFlash(fields)),
        400,
      );
    })
    .post('/:id', async (c) => {
      const { id, name } = await kind.find(db, itemRef(c));
      const fields = await readFields(c);
      const code = await currency(c);
      const input = kind.read(fields, code);
      const saved = await fields.submit(() => kind.update(db, itemRef(c), input));
      const path = `${listPath(c)}/${id}`;
      if (saved)
        return await c.var.redirectWithFlash(path, { kind: 'success', text: `${typeName} saved.` });
      const content = form(c, code, fields, 'Save');
      return c.html(dashboardPage(subpageContext(c), name, content, formErrorFlash(fields)), 400);
    })
    .post('/:id/archive', (c) =>
      runAction(c, listPath(c), `${typeName} archived.`, () => archive(db, table, itemRef(c))),
    )
    .post('/:id/restore', (c) => {
      const successText = `${typeName} restored. It is not public yet.`;
      const path = `${listPath(c)}/${itemRef(c).id}`;
      return runAction(c, path, successText, () => restore(db, table, itemRef(c)));
    })
    .post('/:id/delete', (c) => {
      const ref = itemRef(c);
      const operation = () => deleteUnused(db, table, ref);
      const errorPath = `${listPath(c)}/${ref.id}`;
      return runAction(c, listPath(c), `${typeName} deleted.`, operation, errorPath);
    });
}
