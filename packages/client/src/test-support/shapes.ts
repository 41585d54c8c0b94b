/** What the client's methods take and return, read from its types, to compare them with the OpenAPI document. */
import { join } from 'node:path';
import ts from 'typescript';

/** JSON Schema, as far as the OpenAPI document uses it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  propertyNames?: { enum?: string[] };
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

/**
 * The comparable form of a type: `string`, `number`, a literal, alternatives joined with ` | `, a list
 * with its elements, or an object with its fields. The key `*` stands for any other key.
 */
export type Shape = string | { items: Shape } | { [field: string]: Shape };

/** A method of the client. */
export interface Method {
  resource: string;
  name: string;
  /** Number of ids at the beginning of its parameters. */
  ids: number;
  query: Shape | undefined;
  body: Shape | undefined;
  response: Shape;
}

/** Joins alternatives. Objects keep `null` aside, because it says nothing about their fields. */
function union(shapes: Shape[]): Shape {
  const objects = shapes.filter((shape) => typeof shape === 'object');
  if (objects.length > 1) throw new Error('The comparison does not support several objects.');
  if (objects[0]) return objects[0];
  return [...new Set(shapes as string[])].sort().join(' | ');
}

/** Converts a schema of the document. */
export function shapeOfSchema(schema: JsonSchema, schemas: Record<string, JsonSchema>): Shape {
  const convert = (part: JsonSchema): Shape => shapeOfSchema(part, schemas);
  if (schema.$ref) return convert(schemas[schema.$ref.split('/').at(-1)!]!);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return union(alternatives.map(convert));
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => convert({ ...schema, type })));
  }
  if (schema.type === 'array') return { items: convert(schema.items ?? {}) };
  if (schema.type !== 'object') {
    if (schema.type === 'boolean') return 'false | true';
    return schema.type === 'integer' ? 'number' : (schema.type ?? 'unknown');
  }
  if (typeof schema.additionalProperties === 'object' && !schema.properties) {
    const value = convert(schema.additionalProperties);
    const names = schema.propertyNames?.enum ?? ['*'];
    return Object.fromEntries(names.map((name) => [name, value]));
  }
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(fields.map(([name, field]) => [name, convert(field)]));
}

/** Reads the methods of the class `Connect` with the compiler. */
export function readMethods(file: string): Method[] {
  const root = join(import.meta.dirname, '../../../..');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (name) =>
    ts.sys.readFile(name),
  ) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [file] }, ts.sys, root);
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file)!;
  const [connect] = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source)!)
    .filter(({ name }) => name === 'Connect');
  const instance = checker.getDeclaredTypeOfSymbol(connect!);
  return instance.getProperties().flatMap((resource) =>
    checker
      .getTypeOfSymbol(resource)
      .getProperties()
      .map((method) => ({
        resource: resource.name,
        ...readMethod(method, checker),
      })),
  );
}

function readMethod(method: ts.Symbol, checker: ts.TypeChecker): Omit<Method, 'resource'> {
  const [signature] = checker.getTypeOfSymbol(method).getCallSignatures();
  const parameters = signature!.getParameters().map((parameter) => {
    const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
    return { name: parameter.name, type };
  });
  const ids = parameters.filter(({ type }) => type.flags & ts.TypeFlags.String);
  const input = parameters.find(({ name }) => name !== 'options' && !/id$/i.test(name));
  const inputShape = input && shapeOfType(input.type, checker);
  const isQuery = input?.name === 'filters';
  return {
    name: method.name,
    ids: ids.length,
    query: isQuery ? inputShape : undefined,
    body: isQuery ? undefined : inputShape,
    response: shapeOfResponse(signature!.getReturnType(), checker),
  };
}

/** A list's pages, or what a promise resolves to. */
function shapeOfResponse(type: ts.Type, checker: ts.TypeChecker): Shape {
  const [result] = checker.getTypeArguments(type as ts.TypeReference);
  if (type.symbol.name === 'AsyncGenerator') return {};
  const shape = shapeOfType(result!, checker);
  return type.symbol.name === 'ResourceList'
    ? { data: { items: shape }, has_more: 'false | true', next_cursor: 'null | string' }
    : shape;
}

function shapeOfType(type: ts.Type, checker: ts.TypeChecker): Shape {
  const convert = (part: ts.Type) => shapeOfType(part, checker);
  if (type.isUnion()) {
    return union(type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined)).map(convert));
  }
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) {
    return checker.typeToString(type);
  }
  const element =
    checker.isArrayType(type) && checker.getTypeArguments(type as ts.TypeReference)[0];
  if (element) return { items: convert(element) };
  const index = type.getStringIndexType();
  if (index) return { '*': convert(index) };
  const fields = type
    .getProperties()
    .map((field) => [field.name, convert(checker.getTypeOfSymbol(field))] as const);
  return Object.fromEntries(fields);
}
