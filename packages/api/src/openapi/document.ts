import { EVENT_TYPES, SCOPES } from '@connect-embed/contract';
import { requirementsOf, type RouteRequirements } from '@connect-embed/contract/hono';
import {
  schemaRef,
  namedSchemas,
  queryParameters,
  requestSchema,
  type JsonSchema,
  type QueryParameter,
} from './schemas.ts';
import { OPERATIONS, TAGS, type Operation } from './operations.ts';
import { errorResponseRef, errorResponses, errorStatusesOf } from './error-responses.ts';
import {
  parameterExample,
  requestExamples,
  responseExamples,
  type NamedExamples,
} from './examples/examples.ts';
import { WEBHOOK_EVENT } from './examples/webhooks.ts';

/** Hono's list of registered middleware and handlers. */
type Routes = readonly { method: string; path: string; handler: object }[];

export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: string | number | boolean;
}

export interface MediaType {
  schema: JsonSchema;
  examples?: NamedExamples;
}

export interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: { 'application/json': MediaType } };
  responses: Record<string, object>;
  security: Record<string, string[]>[];
}

export type OpenApi = ReturnType<typeof describeApi>;

const MAX_LENGTHS = { id: 87 };

/**
 * Generates the OpenAPI 3.1 document from the routes: parameters, bodies and scopes are read from the
 * middleware that validates them, so document and behavior cannot differ.
 */
export function describeApi(routes: Routes, baseUrl: string) {
  const paths: Record<string, Record<string, DescribedOperation>> = {};
  for (const { method, path, requirements } of operationsOf(routes)) {
    const operation = OPERATIONS[`${method} ${path}`];
    if (!operation) continue; // `openapi.test.ts` reports routes without an operation.
    const described = describeOperation(method, path, operation, requirements);
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Connect API',
      version: '1.0.0',
      description: API_DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Connect Embed', url: `${baseUrl}/docs` },
    },
    servers: [{ url: `${baseUrl}/api/v1` }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas: namedSchemas(),
      responses: errorResponses(),
      securitySchemes: securitySchemes(baseUrl),
    },
  };
}

const API_DESCRIPTION = `Read access to donations, donors, payouts, events and reference data of exactly one
organization for each credential; payment intents; sessions for embedded forms and tables; webhooks.

Times are ISO-8601 in UTC, amounts are whole minor units of the currency. Every field is always
present, and null if its value is unknown; clients must ignore unknown fields, event types, error
codes and values of enumerations, because new ones can be added. Each
credential can send 120 requests in 60 seconds.`;

/** Lists every handler with its path and the combined requirements of the middleware before it. */
function operationsOf(routes: Routes) {
  const operations = new Map<
    string,
    { method: string; path: string; requirements: RouteRequirements }
  >();
  for (const { method, path } of routes) {
    if (method === 'ALL') continue;
    const requirements = routes
      .filter((rule) => appliesTo(rule, method, path))
      .reduce<RouteRequirements>(
        (combined, { handler }) => ({ ...combined, ...requirementsOf(handler) }),
        {},
      );
    const openApiPath = path.replace(/:(\w+)/g, '{$1}');
    operations.set(`${method} ${path}`, { method, path: openApiPath, requirements });
  }
  return operations.values();
}

/** Returns true if middleware, possibly for all methods or a path prefix, runs before a handler. */
function appliesTo(rule: Routes[number], method: string, path: string): boolean {
  if (rule.method !== 'ALL') return rule.method === method && rule.path === path;
  const prefix = rule.path.replace(/\/\*$/, '');
  return rule.path === path || (prefix !== rule.path && `${path}/`.startsWith(`${prefix}/`));
}

function describeOperation(
  method: string,
  path: string,
  operation: Operation,
  { query, body, mayBeEmpty = false, scope }: RouteRequirements,
): DescribedOperation {
  const { id, tag, summary, description, response, status = 200 } = operation;
  const { contentType = 'application/json', headers = {} } = operation;
  const traits = { method, path, takesQuery: query !== undefined, takesBody: body !== undefined };
  const requiredScope = scope ? `\`${scope}\`` : (operation.scope ?? 'none');
  const successResponse = {
    description: 'Success.',
    content: { [contentType]: { schema: schemaRef(response), ...responseExamples(id) } },
  };
  return {
    operationId: id,
    summary,
    description: [description, `Scope: ${requiredScope}.`].filter(Boolean).join('\n\n'),
    tags: [tag],
    parameters: [
      ...pathParameters(path),
      ...(query ? queryParameters(query).map(describeParameter) : []),
      ...Object.entries(headers).map(describeHeader),
      ...(method === 'POST' ? [IDEMPOTENCY_KEY] : []),
    ].map((parameter) => withExample(id, parameter)),
    ...(body && {
      requestBody: {
        required: !mayBeEmpty,
        content: { 'application/json': { schema: requestSchema(body), ...requestExamples(id) } },
      },
    }),
    responses: {
      [status]: successResponse,
      ...Object.fromEntries(
        errorStatusesOf(traits).map((errorStatus) => [errorStatus, errorResponseRef(errorStatus)]),
      ),
    },
    security: [{ bearer: scope ? [scope] : [] }, { oauth2: scope ? [scope] : [] }],
  };
}

function withExample(operationId: string, parameter: Parameter): Parameter {
  const example = parameterExample(operationId, parameter.name);
  return example === undefined ? parameter : { ...parameter, example };
}

const describeParameter = ({ name, description, schema }: QueryParameter): Parameter => ({
  name,
  in: 'query',
  required: false,
  ...(description !== undefined && { description }),
  schema,
});

const describeHeader = ([name, description]: [string, string]): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

const pathParameters = (path: string): Parameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: 'ID of a resource of the credential’s organization.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_LENGTHS.id },
  }));

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A retry with the same key within 24 hours returns the same response.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

/** Describes the webhook events, which are signed and name the changed resource without its data. */
const describeWebhooks = () =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `on_${type.replace('.', '_')}`,
          summary: `Webhook event ${type}`,
          description: 'Signed as in Standard Webhooks 1.0.0. Any 2xx acknowledges the event.',
          tags: ['Webhooks'],
          security: [],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemaRef('WebhookEvent'),
                example: { ...WEBHOOK_EVENT, type },
              },
            },
          },
          responses: {
            '2XX': { description: 'Received.' },
            '4XX': { description: 'The event is sent again later; 410 disables the endpoint.' },
          },
        },
      },
    ]),
  );

const securitySchemes = (baseUrl: string) => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (`gb_live_…`), or the token of an embed or component session.',
  },
  oauth2: {
    type: 'oauth2',
    description: 'Access token (`gba_…`) of an organization that connected the app.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${baseUrl}/api/auth/oauth2/authorize`,
        tokenUrl: `${baseUrl}/api/auth/oauth2/token`,
        refreshUrl: `${baseUrl}/api/auth/oauth2/token`,
        scopes: { ...SCOPES, offline_access: 'a refresh token that is valid for 30 days' },
      },
    },
  },
});
