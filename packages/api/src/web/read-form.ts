import { ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';

/** The fields of a submitted form. */
export interface SubmittedForm {
  /** Returns the first value of a field. A missing field or a file gives an empty string. */
  (name: string): string;
  /** Returns all values of the fields with a name, such as selected checkboxes. */
  all(name: string): string[];
}

/**
 * Reads a submitted form.
 *
 * @throws {ConnectError} `unsupported_media_type`
 */
export async function readForm(c: Context): Promise<SubmittedForm> {
  const form = await c.req.formData().catch((cause: unknown) => {
    const message = 'Content-Type must be application/x-www-form-urlencoded.';
    throw new ConnectError('unsupported_media_type', message, { cause });
  });
  const all = (name: string) => form.getAll(name).filter((value) => typeof value === 'string');
  return Object.assign((name: string) => all(name)[0] ?? '', { all });
}
