import { html } from 'hono/html';
import type { Html } from '../pages/layout.ts';
import type { JsonSchema } from './schemas.ts';

/**
 * Describes a schema for the reference page: `integer, 50 to 99999999`, `date-time or null`, a link to
 * a resource.
 */
export function describeSchema(schema: JsonSchema): Html {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.anyOf) {
    return html`${schema.anyOf.map((member, index) => html`${index ? ' or ' : ''}${describeSchema(member)}`)}`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) {
    return html`${schema.enum.map(
      (value, index) => html`${index ? ', ' : ''}<code>${String(value)}</code>`,
    )}`;
  }
  if (schema.items) return html`array of ${describeSchema(schema.items)}`;
  return html`${[describeType(schema), ...describeBounds(schema)].join(', ')}`;
}

const describeType = ({ type = 'any', format }: JsonSchema): string =>
  format ?? (Array.isArray(type) ? type.join(' or ') : type);

function describeBounds(schema: JsonSchema): string[] {
  const { minimum, maximum } = schema;
  const [shortest, longest] = [schema['minLength'], schema['maxLength']] as (number | undefined)[];
  return [
    ...(minimum !== undefined && maximum !== undefined
      ? [`${minimum} to ${maximum}`]
      : minimum !== undefined
        ? [`at least ${minimum}`]
        : []),
    ...(longest === undefined ? [] : [`${shortest ?? 0} to ${longest} characters`]),
    ...(schema['default'] === undefined ? [] : [`${formatValue(schema['default'])} by default`]),
  ];
}

const formatValue = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
