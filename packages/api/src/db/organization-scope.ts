import type {
  DeleteQueryBuilder,
  DeleteResult,
  Expression,
  InsertObject,
  InsertQueryBuilder,
  InsertResult,
  QueryCreator,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely';
import type { Database } from './schema.ts';

/** A table whose rows each belong to one organization. */
type TenantTable = {
  [Table in keyof Database]: Database[Table] extends { organization_id: string } ? Table : never;
}[keyof Database];

/** A new row of values or SQL expressions, without the column that the scope sets. */
type NewRow<Table extends TenantTable> = Omit<InsertObject<Database, Table>, 'organization_id'> & {
  organization_id?: never;
};

/** Queries of tenant tables that only read and change rows of one organization. */
export interface OrganizationScope {
  selectFrom<Table extends TenantTable>(table: Table): SelectQueryBuilder<Database, Table, object>;
  updateTable<Table extends TenantTable>(
    table: Table,
  ): UpdateQueryBuilder<Database, Table, Table, UpdateResult>;
  deleteFrom<Table extends TenantTable>(
    table: Table,
  ): DeleteQueryBuilder<Database, Table, DeleteResult>;
  insertInto<Table extends TenantTable>(
    table: Table,
    rows: NewRow<Table> | readonly NewRow<Table>[],
  ): InsertQueryBuilder<Database, Table, InsertResult>;
}

/**
 * The only way to query tenant tables for one organization: every statement gets the condition
 * `organization_id = …`, and every new row the organization's id. `test/lint/tenant-tables.js` rejects
 * other access.
 *
 * A joined table is not filtered: join it by its id, which a foreign key of a filtered row names.
 */
export function forOrganization(
  db: QueryCreator<Database>,
  organizationId: string | Expression<string>,
): OrganizationScope {
  // The compiler cannot resolve the columns of a generic table. `fund` stands for any tenant table.
  const column = (table: TenantTable) => `${table as 'fund'}.organization_id` as const;
  const withOrganization = (row: object) => ({ ...row, organization_id: organizationId });
  const scope = {
    selectFrom: (table: 'fund') => db.selectFrom(table).where(column(table), '=', organizationId),
    updateTable: (table: 'fund') => db.updateTable(table).where(column(table), '=', organizationId),
    deleteFrom: (table: 'fund') => db.deleteFrom(table).where(column(table), '=', organizationId),
    insertInto: (table: 'fund', rows: object | readonly object[]) =>
      db
        .insertInto(table)
        .values(
          (Array.isArray(rows) ? rows.map(withOrganization) : withOrganization(rows)) as never,
        ),
  };
  return scope as unknown as OrganizationScope;
}

/**
 * Marks a query of tenant tables that concerns all organizations: the work of background jobs, the
 * removal of old rows, and lookups that find out to which organization a row belongs.
 */
export const acrossOrganizations = <Creator extends QueryCreator<Database>>(db: Creator): Creator =>
  db;
