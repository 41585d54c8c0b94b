import { schemaRef, type JsonSchema } from './schemas.ts';

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Whole seconds until a retry can succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
};

interface ErrorResponse {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
}

/** Every error status with its `error.type` (docs/decisions/0002-specification-gaps.md). */
const ERROR_RESPONSES: Readonly<Record<number, ErrorResponse>> = {
  400: { description: '`invalid_request`: the message names the field or parameter.' },
  401: {
    description: '`unauthorized`: the credential is missing, invalid, revoked or expired.',
    headers: {
      'WWW-Authenticate': {
        description: 'The authentication scheme, and the error of the token.',
        schema: { type: 'string' },
      },
    },
  },
  403: {
    description:
      '`insufficient_scope`: the message names the missing scope. `forbidden`: this type of credential is not allowed.',
  },
  404: { description: '`not_found`: no such resource in this organization.' },
  409: {
    description:
      '`conflict`: the `Idempotency-Key` is in use, or was already used with another request.',
  },
  413: { description: '`payload_too_large`: the body is larger than 64 kB.' },
  415: { description: '`unsupported_media_type`: the body must be `application/json`.' },
  429: {
    description: '`rate_limited`: more than 120 requests in 60 seconds.',
    headers: RETRY_AFTER,
  },
  500: { description: '`server_error`: something went wrong on our side.' },
  503: {
    description: '`unavailable`: temporarily unavailable. Try again later.',
    headers: RETRY_AFTER,
  },
};

/** The name of a response object under `components`. */
const componentName = (status: number) => `Refusal${status}`;

export const errorResponseRef = (status: number) => ({
  $ref: `#/components/responses/${componentName(status)}`,
});

export const errorResponses = () =>
  Object.fromEntries(
    Object.entries(ERROR_RESPONSES).map(([status, errorResponse]) => [
      componentName(Number(status)),
      { ...errorResponse, content: { 'application/json': { schema: schemaRef('Error') } } },
    ]),
  );

/** The error statuses that an operation can respond with. */
export function errorStatusesOf(operation: {
  method: string;
  path: string;
  takesQuery: boolean;
  takesBody: boolean;
}): number[] {
  const { method, path, takesQuery, takesBody } = operation;
  const repeatable = method === 'POST'; // An Idempotency-Key can be invalid or in use.
  return [
    ...(takesQuery || takesBody || repeatable ? [400] : []),
    401,
    403,
    ...(path.includes('{') ? [404] : []),
    ...(repeatable ? [409] : []),
    ...(method === 'GET' ? [] : [413]),
    ...(takesBody ? [415] : []),
    429,
    500,
    503,
  ];
}
