import { ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';

/**
 * Reads a submitted form. A missing field or a file gives an empty string.
 *
 * @throws {ConnectError} `unsupported_media_type`
 */
export async function readForm(c: Context): Promise<(name: string) => string> {
  const form = await c.req.formData().catch((cause: unknown) => {
    const message = 'Content-Type must be application/x-www-form-urlencoded.';
    throw new ConnectError('unsupported_media_type', message, { cause });
  });
  return (name) => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
}
