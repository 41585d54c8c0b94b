import { ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';

/** @throws {ConnectError} `unsupported_media_type` */
export const readFormData = (c: Context): Promise<FormData> =>
  c.req.formData().catch((cause: unknown) => {
    const message =
      'Content-Type must be application/x-www-form-urlencoded or multipart/form-data.';
    throw new ConnectError('unsupported_media_type', message, { cause });
  });

/**
 * Reads a submitted form.
 *
 * @returns the function that gives the value of a field. A missing field or a file gives an empty string
 * @throws {ConnectError} `unsupported_media_type`
 */
export async function readForm(c: Context): Promise<(name: string) => string> {
  const form = await readFormData(c);
  return (name) => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
}
