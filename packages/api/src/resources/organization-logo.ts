import { invalidRequest, notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { forOrganization } from '../db/organization-scope.ts';
import type { Database, Db } from '../db/schema.ts';
import type { Env } from '../http/env.ts';
import { contentHash } from '../lib/content-hash.ts';
import { readImageFile } from '../lib/image-file.ts';
import type { RequestDeps } from '../payments/deps.ts';

type MediaType = Database['organization_logo']['media_type'];

/** Largest file of a logo, in bytes. Donors load the logo with every giving page. */
export const MAX_LOGO_BYTES = 512 * 1024;
const MIN_SIDE_PX = 32;
const MAX_SIDE_PX = 4000;

interface Logo {
  media_type: MediaType;
  /** Size in pixels. */
  width: number;
  height: number;
  content: Buffer;
}

/**
 * Checks an uploaded file.
 *
 * @throws {ConnectError} `invalid_request` for the parameter `logo`
 */
export function parseLogo(file: Uint8Array): Logo {
  if (file.byteLength > MAX_LOGO_BYTES)
    throw invalidRequest('logo', `must have at most ${MAX_LOGO_BYTES / 1024} KB.`);
  const image = readImageFile(file);
  if (!image) throw invalidRequest('logo', 'must be a PNG, JPEG or WebP image.');
  const sides = [image.width, image.height];
  if (sides.some((side) => side < MIN_SIDE_PX || side > MAX_SIDE_PX)) {
    throw invalidRequest(
      'logo',
      `must be between ${MIN_SIDE_PX} and ${MAX_SIDE_PX} pixels wide and high.`,
    );
  }
  return { ...image, content: Buffer.from(file) };
}

export async function saveLogo(db: Db, organizationId: string, logo: Logo): Promise<void> {
  const hash = contentHash(logo.content, 22);
  const columns = { ...logo, hash };
  await forOrganization(db, organizationId)
    .insertInto('organization_logo', columns)
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(columns))
    .execute();
}

export async function removeLogo(db: Db, organizationId: string): Promise<void> {
  await forOrganization(db, organizationId).deleteFrom('organization_logo').execute();
}

/** Routes below `/logos`: the images, which are public and never change. */
export const logos = ({ db }: Pick<RequestDeps, 'db'>) =>
  new Hono<Env>().get('/:organization/:hash', async (c) => {
    const { organization, hash } = c.req.param();
    const logo = await forOrganization(db, organization)
      .selectFrom('organization_logo')
      .select(['media_type', 'content'])
      .where('hash', '=', hash)
      .executeTakeFirst();
    if (!logo) throw notFound('logo', hash);
    return c.body(Uint8Array.from(logo.content), 200, {
      'Content-Type': logo.media_type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      // Giving pages are on the origin of the server.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
  });
