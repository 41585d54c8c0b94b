import { answerRef, type JsonSchema } from './components.ts';

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Whole seconds until a repetition can succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
};

interface Refusal {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
}

/** Every status that refuses, with the `error.type` it carries (docs/decisions/0003-errors.md). */
const REFUSALS: Readonly<Record<number, Refusal>> = {
  400: { description: '`invalid_request`: the message names the field or parameter.' },
  401: {
    description: '`unauthorized`: the credential is missing, invalid, revoked or expired.',
    headers: {
      'WWW-Authenticate': { description: 'How to say who asks.', schema: { type: 'string' } },
    },
  },
  403: {
    description:
      '`insufficient_scope`: the message names the missing scope. `forbidden`: not with this kind of credential.',
  },
  404: { description: '`not_found`: no such resource in this organization.' },
  409: { description: '`conflict`: the `Idempotency-Key` is in use, or was used otherwise.' },
  413: { description: '`payload_too_large`: the body is larger than 64 kB.' },
  415: { description: '`unsupported_media_type`: the body must be `application/json`.' },
  429: {
    description: '`rate_limited`: more than 120 requests in 60 seconds.',
    headers: RETRY_AFTER,
  },
  500: { description: '`server_error`: something went wrong on our side.' },
  503: { description: '`unavailable`: at the moment; again later.', headers: RETRY_AFTER },
};

/** How a response object is named among the components. */
const nameOf = (status: number) => `Refusal${status}`;

export const refusalRef = (status: number) => ({
  $ref: `#/components/responses/${nameOf(status)}`,
});

export const refusalResponses = () =>
  Object.fromEntries(
    Object.entries(REFUSALS).map(([status, refusal]) => [
      nameOf(Number(status)),
      { ...refusal, content: { 'application/json': { schema: answerRef('Error') } } },
    ]),
  );

/** Which of them an operation can answer with. */
export function refusalsOf(operation: {
  method: string;
  path: string;
  takesQuery: boolean;
  takesBody: boolean;
}): number[] {
  const { method, path, takesQuery, takesBody } = operation;
  const repeatable = method === 'POST'; // An Idempotency-Key may be bad, or in use.
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
