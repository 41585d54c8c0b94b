import { dirname, join } from 'node:path';
import type { Insertable, Selectable, Updateable } from 'kysely';
import ts from 'typescript';
import type { Database } from '../src/db/schema.ts';

export type Selected = { [Table in keyof Database]: Selectable<Database[Table]> };
export type Inserted = { [Table in keyof Database]: Insertable<Database[Table]> };
export type Updated = { [Table in keyof Database]: Updateable<Database[Table]> };

/** What the types of the tables, or the database, say about a column. */
export interface Column {
  /** `string`, `number`, `boolean`, `object`, the name of a class such as `Date`, or an array: `string[]`. */
  type: string;
  isNullable: boolean;
  /** Whether a new row must have a value. `never`: the database computes it, also in updates. */
  insert: 'required' | 'optional' | 'never';
  /** The only values, in alphabetical order; undefined for other types than unions of string literals. */
  values: string[] | undefined;
}

/** Columns by table and name: `donation.amount_cents`. */
export type Columns = Record<string, Column>;

const ROOT = join(import.meta.dirname, '../../..');

/** Reads the types of all tables with the TypeScript compiler, as code that uses Kysely sees them. */
export function readTableTypes(): Columns {
  const program = ts.createProgram([import.meta.filename], readCompilerOptions());
  const checker = program.getTypeChecker();
  const sourceFile = program.getSourceFile(import.meta.filename)!;
  const module = checker.getSymbolAtLocation(sourceFile)!;
  const propertiesOf = (type: ts.Type) =>
    new Map(checker.getPropertiesOfType(type).map((property) => [property.name, property]));
  const tablesOf = (name: string) => {
    const symbol = checker.getExportsOfModule(module).find((each) => each.name === name)!;
    return propertiesOf(checker.getDeclaredTypeOfSymbol(symbol));
  };
  const inserted = tablesOf('Inserted');
  const updated = tablesOf('Updated');

  const columns: Columns = {};
  for (const [table, symbol] of tablesOf('Selected')) {
    const insertable = propertiesOf(checker.getTypeOfSymbol(inserted.get(table)!));
    const updatable = propertiesOf(checker.getTypeOfSymbol(updated.get(table)!));
    for (const [name, column] of propertiesOf(checker.getTypeOfSymbol(symbol))) {
      const type = checker.getTypeOfSymbol(column);
      const insert = insertable.get(name);
      if (!insert && updatable.has(name)) throw new Error(`${table}.${name} is only updatable.`);
      columns[`${table}.${name}`] = {
        type: formatType(checker, type),
        isNullable: checker.getNonNullableType(type) !== type,
        insert: !insert
          ? 'never'
          : insert.flags & ts.SymbolFlags.Optional
            ? 'optional'
            : 'required',
        values: readLiterals(checker.getNonNullableType(type)),
      };
    }
  }
  return columns;
}

function readCompilerOptions(): ts.CompilerOptions {
  const file = join(ROOT, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, (path) => ts.sys.readFile(path)) as { config: object };
  // No files are searched: the program consists of this file and of what it imports.
  const parsed = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: [] },
    ts.sys,
    dirname(file),
  );
  return { ...parsed.options, noEmit: true };
}

function formatType(checker: ts.TypeChecker, nullable: ts.Type): string {
  const type = checker.getNonNullableType(nullable);
  const parts = type.isUnion() ? type.types : [type];
  const isEvery = (flag: ts.TypeFlags) => parts.every(({ flags }) => (flags & flag) !== 0);
  if (isEvery(ts.TypeFlags.StringLike)) return 'string';
  if (isEvery(ts.TypeFlags.NumberLike)) return 'number';
  if (isEvery(ts.TypeFlags.BooleanLike)) return 'boolean';
  if (checker.isArrayType(type)) {
    return `${formatType(checker, checker.getTypeArguments(type as ts.TypeReference)[0]!)}[]`;
  }
  const name = type.symbol?.name;
  if (name === 'Date' || name === 'Buffer') return name;
  return isEvery(ts.TypeFlags.Object | ts.TypeFlags.Intersection)
    ? 'object'
    : checker.typeToString(type);
}

function readLiterals(type: ts.Type): string[] | undefined {
  const parts = type.isUnion() ? type.types : [type];
  const literals = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
  return literals.length === parts.length ? literals.sort() : undefined;
}
