/** Request bodies of `/sandbox`: JSON from programs, forms from the buttons of the front page. */
import type { Context } from 'hono';
import { StripeError } from './stripe-error.ts';

export type RequestBody = Record<string, unknown>;

/**
 * Parses a body of JSON or of a form.
 *
 * @throws {StripeError} 400 if the body cannot be parsed
 */
export async function readBody(c: Context): Promise<RequestBody> {
  if (!isJson(c)) return await c.req.parseBody();
  try {
    const body = (await c.req.json()) as unknown;
    if (body && typeof body === 'object') return body as RequestBody;
  } catch {
    // The error is thrown below.
  }
  throw new StripeError(400, {
    type: 'invalid_request_error',
    message: 'The body is not valid JSON.',
  });
}

/** Sends JSON to a program, and redirects a person to the front page. */
export const respond = (c: Context, result: object) =>
  isJson(c) ? c.json(result) : c.redirect('/', 303);

const isJson = (c: Context) => c.req.header('content-type')?.startsWith('application/json');
