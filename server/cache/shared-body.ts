import { acceptedCoding } from '@connect-embed/contract/hono';
import type { Context } from 'hono';
import { base64url } from 'jose';

export type Bytes = Uint8Array<ArrayBuffer>;

/** Compressed versions of a body, by content coding. */
export interface CompressedVersions {
  br?: Bytes | undefined;
  gzip?: Bytes | undefined;
}

/** The body of a response that many visitors share, with its compressed versions. */
export interface SharedBody extends CompressedVersions {
  type: string;
  /** Hash of the content. */
  hash: string;
  body: Bytes;
}

/** Prepares a text for sending. Without `compress` it has no compressed versions. */
export async function prepareSharedBody(
  text: string,
  type: string,
  compress?: (body: Bytes) => Promise<CompressedVersions>,
): Promise<SharedBody> {
  const body = new TextEncoder().encode(text);
  const [digest, versions] = await Promise.all([
    crypto.subtle.digest('SHA-256', body),
    compress?.(body),
  ]);
  const hash = base64url.encode(new Uint8Array(digest)).slice(0, 22);
  return { type, hash, body, ...versions };
}

/** Sends a body in the encoding that the browser prefers, or 304 if the browser has it already. */
export function sendSharedBody(
  c: Context,
  shared: SharedBody,
  { cacheControl }: { cacheControl: string },
) {
  const codings = (['br', 'gzip'] as const).filter((coding) => shared[coding]);
  const encoding = acceptedCoding(c, codings);
  const etag = `"${shared.hash}${encoding ? `-${encoding}` : ''}"`;
  c.header('Cache-Control', cacheControl);
  c.header('ETag', etag);
  c.header('Vary', 'Accept-Encoding');
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  if (etagMatches(c.req.header('if-none-match'), etag)) return c.body(null, 304);
  if (encoding) c.header('Content-Encoding', encoding);
  c.header('Content-Type', shared.type);
  return c.body(encoding ? shared[encoding]! : shared.body);
}

export const etagMatches = (header: string | undefined, etag: string) =>
  header !== undefined &&
  header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
