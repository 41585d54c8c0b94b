import { ConnectError, errorBody, invalidRequest, notFound } from '@connect-embed/contract';
import { schemaRef, type JsonSchema } from './schemas.ts';

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Whole seconds until a retry can succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
};

interface ErrorResponse {
  description: string;
  /** Errors that the document shows as examples. */
  errors: readonly ConnectError[];
  headers?: Record<string, { description: string; schema: JsonSchema }>;
}

/** Every error status with its `error.type` (docs/decisions/0002-specification-gaps.md). */
const ERROR_RESPONSES: Readonly<Record<number, ErrorResponse>> = {
  400: {
    description: '`invalid_request`: the message names the field or parameter.',
    errors: [invalidRequest('limit', 'must be a whole number from 1 to 100.')],
  },
  401: {
    description: '`unauthorized`: the credential is missing, invalid, revoked or expired.',
    errors: [
      new ConnectError('unauthorized', 'The token is not valid, has expired or was revoked.'),
    ],
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
    errors: [
      new ConnectError('insufficient_scope', 'This request requires the scope donations:read.'),
      new ConnectError('forbidden', "This request requires an embed session's own token."),
    ],
  },
  404: {
    description: '`not_found`: no such resource in this organization.',
    errors: [notFound('donation', 'don_B62RKqvbX5nZ8tYwHcLd')],
  },
  409: {
    description:
      '`conflict`: the `Idempotency-Key` is in use, or was already used with another request.',
    errors: [
      new ConnectError('conflict', 'Idempotency-Key was already used with another request.', {
        code: 'idempotency_key_reused',
        param: 'Idempotency-Key',
      }),
    ],
  },
  413: {
    description: '`payload_too_large`: the body is larger than 64 kB.',
    errors: [new ConnectError('payload_too_large', 'The body is larger than 65536 bytes.')],
  },
  415: {
    description: '`unsupported_media_type`: the body must be `application/json`.',
    errors: [
      new ConnectError('unsupported_media_type', 'Content-Type must be application/json.', {
        param: 'Content-Type',
      }),
    ],
  },
  429: {
    description:
      '`rate_limited`: more than 120 requests in 60 seconds. With the code `processor_busy`: the card processor is at its limit, and the donation waits in line.',
    errors: [
      new ConnectError('rate_limited', 'More than 120 requests in 60 seconds. Try again in 12 s.'),
    ],
    headers: RETRY_AFTER,
  },
  500: {
    description: '`server_error`: something went wrong on our side.',
    errors: [new ConnectError('server_error', 'Something went wrong on our side.')],
  },
  503: {
    description: '`unavailable`: temporarily unavailable. Try again later.',
    errors: [new ConnectError('unavailable', 'The database is temporarily unavailable.')],
    headers: RETRY_AFTER,
  },
};

/** Returns the name of a response object under `components`. */
const componentName = (status: number) => `Error${status}`;

export const errorResponseRef = (status: number) => ({
  $ref: `#/components/responses/${componentName(status)}`,
});

export const errorResponses = () =>
  Object.fromEntries(
    Object.entries(ERROR_RESPONSES).map(([status, { errors, ...errorResponse }]) => [
      componentName(Number(status)),
      {
        ...errorResponse,
        content: {
          'application/json': { schema: schemaRef('Error'), examples: namedErrors(errors) },
        },
      },
    ]),
  );

const namedErrors = (errors: readonly ConnectError[]) =>
  Object.fromEntries(
    errors.map((error) => [
      error.code,
      {
        value: errorBody(error, {
          requestId: 'req_Zt5WkQ8xLn3RmVc7YbHd',
          docUrl: `https://api.example.org/docs/errors#${error.code}`,
        }),
      },
    ]),
  );

/** Returns the error statuses that an operation can respond with. */
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
