import { EXAMPLES } from './examples.ts';
import type { Example } from './example.ts';

/** Named examples in the format of an OpenAPI media type. */
export type NamedExamples = Record<string, { summary: string; value: object }>;

/** Returns the examples of an operation's request body. */
export const requestExamples = (operationId: string) =>
  namedExamples(operationId, ({ body }) => body);

/** Returns the examples of an operation's successful response. */
export const responseExamples = (operationId: string) =>
  namedExamples(operationId, ({ response }) => response);

/** Returns a parameter's value in the first example of the operation. */
export const parameterExample = (operationId: string, name: string) =>
  EXAMPLES[operationId]?.[0].parameters?.[name];

function namedExamples(
  operationId: string,
  valueOf: (example: Example) => object | undefined,
): { examples?: NamedExamples } {
  const named = (EXAMPLES[operationId] ?? []).flatMap((example) => {
    const { title = 'Example' } = example;
    const value = valueOf(example);
    return value ? [[nameOf(title), { summary: title, value }] as const] : [];
  });
  return named.length > 0 ? { examples: Object.fromEntries(named) } : {};
}

const nameOf = (title: string) => title.toLowerCase().replaceAll(' ', '_');
