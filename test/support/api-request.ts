import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ERROR_CODES, type ErrorEnvelope } from '@connect-embed/contract';

/** A request to a server. */
export interface ApiRequest {
  method?: string;
  path: string;
  /** Sent unchanged if it is a string, otherwise as JSON. */
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
}

/** Returns a function that sends requests, with a random idempotency key on every POST. */
export function createCaller(base: string, defaultHeaders: Record<string, string> = {}) {
  return (call: ApiRequest): Promise<Response> => {
    const { method = 'POST', path, body, token, headers } = call;
    const json = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return fetch(`${base}${path}`, {
      method,
      headers: {
        ...defaultHeaders,
        ...(method === 'POST' && { 'Idempotency-Key': randomUUID() }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(json !== undefined && { body: json }),
    });
  };
}

interface ExpectedError {
  status: number;
  type: string;
  /** The message must match this. */
  names: RegExp;
}

/** Expects the error envelope with the given status, type and message, and without internal details. */
export async function assertApiError(response: Response, expected: ExpectedError): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, expected.status, text);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  assert.ok(response.headers.get('request-id'), 'the response has a Request-Id');
  const body = JSON.parse(text) as ErrorEnvelope;
  assert.deepEqual(Object.keys(body), ['error']);
  const { type, code, request_id, doc_url } = body.error;
  assert.ok(Object.keys(ERROR_CODES[type]).includes(code), `${type} has no code ${code}`);
  assert.equal(request_id, response.headers.get('request-id'));
  if (doc_url !== undefined) assert.equal(new URL(doc_url).hash, `#${code}`);
  assert.equal(body.error.type, expected.type, text);
  assert.match(body.error.message, expected.names);
  assert.doesNotMatch(
    text,
    /\bat .*:\d+:\d+|node_modules|zod/i,
    'the response contains no stack trace',
  );
}
