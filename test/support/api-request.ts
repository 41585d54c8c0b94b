import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

/** One request, as raw as a test needs it. */
export interface ApiRequest {
  method?: string;
  path: string;
  /** Sent as it is when text, as JSON otherwise. */
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
}

/** Asks a server; a key of its own on every POST, so that nothing is a replay by accident. */
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

export interface ExpectedError {
  status: number;
  type: string;
  /** What the message must name. */
  names: RegExp;
}

/** The answer is the one error envelope, says what is wrong, and gives nothing else away. */
export async function assertApiError(response: Response, expected: ExpectedError): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, expected.status, text);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  assert.ok(response.headers.get('request-id'), 'the answer has a Request-Id');
  const body = JSON.parse(text) as { error: { type: string; message: string } };
  assert.deepEqual(Object.keys(body), ['error']);
  assert.deepEqual(Object.keys(body.error).sort(), ['message', 'type']);
  assert.equal(body.error.type, expected.type, text);
  assert.match(body.error.message, expected.names);
  assert.doesNotMatch(text, /\bat .*:\d+:\d+|node_modules|zod/i, 'no stack reaches the answer');
}
