import { ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';

export interface SubmittedForm {
  /** Returns the first value of a field. A missing field or a file gives an empty string. */
  (name: string): string;
  /** Returns all values of the fields with a name, such as selected checkboxes. */
  all(name: string): string[];
  /** Returns the content of an uploaded file; undefined if none was selected. */
  file(name: string): Uint8Array | undefined;
}

/**
 * Reads a submitted form.
 *
 * @throws {ConnectError} `unsupported_media_type`
 */
export async function readForm(c: Context): Promise<SubmittedForm> {
  const form = await c.req.formData().catch((cause: unknown) => {
    const message =
      'Content-Type must be application/x-www-form-urlencoded or multipart/form-data.';
    throw new ConnectError('unsupported_media_type', message, { cause });
  });
  const all = (name: string) => form.getAll(name).filter((value) => typeof value === 'string');
  const files = await readFiles(form);
  const file = (name: string) => files.get(name);
  return Object.assign((name: string) => all(name)[0] ?? '', { all, file });
}

/** Reads the uploaded files. A file field without a selected file is submitted as an empty file. */
async function readFiles(form: FormData): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const [name, value] of form) {
    if (typeof value !== 'string' && value.size > 0) files.set(name, await value.bytes());
  }
  return files;
}
