import { COMMON_FIELDS, FIELDS } from './field-descriptions.ts';

/** The keywords of JSON Schema in OpenAPI 3.1 that are used here. */
export interface JsonSchema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

/** Every description, for a test that finds descriptions of fields that no longer exist. */
export const ALL_DESCRIPTIONS = [COMMON_FIELDS, ...Object.values(FIELDS)].flatMap((fields) =>
  Object.values(fields),
);

/** Schemas whose fields are described under the name of another schema in `FIELDS`. */
const SAME_FIELDS: Readonly<Record<string, string>> = {
  CreateWebhookEndpoint: 'WebhookEndpoint',
  UpdateWebhookEndpoint: 'WebhookEndpoint',
  WebhookEndpointWithSecret: 'WebhookEndpoint',
};

/** Adds descriptions to the fields of a named schema. A test fails for a field without a description. */
export function describeFields(name: string, schema: JsonSchema): JsonSchema {
  if (!schema.properties) return schema;
  const fieldDescriptions = FIELDS[SAME_FIELDS[name] ?? name] ?? {};
  const properties = Object.entries(schema.properties).map(([field, fieldSchema]) => {
    const description = fieldDescriptions[field] ?? COMMON_FIELDS[field];
    return [field, description ? { ...fieldSchema, description } : fieldSchema];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, JsonSchema> };
}
