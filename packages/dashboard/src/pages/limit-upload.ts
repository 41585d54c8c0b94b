import { ConnectError } from '@connect-embed/contract';
import { limitBody } from '@connect-embed/contract/hono';
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/**
 * Largest form with a file, in bytes. It is larger than any accepted file, so that a file that is too
 * large gets an error at its field.
 */
const MAX_MULTIPART_BYTES = 8 * 1024 * 1024;

const limitMultipartBody = bodyLimit({
  maxSize: MAX_MULTIPART_BYTES,
  onError: () => {
    throw new ConnectError('payload_too_large', 'The file is too large. Select a smaller one.');
  },
});

/** Rejects a submitted form, with or without a file, that is too large before the rest of it is read. */
export const limitUpload: MiddlewareHandler = (c, next) =>
  c.req.header('content-type')?.startsWith('multipart/form-data')
    ? limitMultipartBody(c, next)
    : limitBody(c, next);
