import { notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../../payments/deps.ts';

/** Path below which the pictures of giving pages are served. Another picture has another path. */
export const PICTURES_PATH = '/form-pictures';

export const picturePath = (organizationId: string, { hash }: { hash: string }) =>
  `${PICTURES_PATH}/${organizationId}/${hash}`;

/** Routes of the pictures, which are public and never change. */
export const formPictures = ({ db }: Pick<RequestDeps, 'db'>) =>
  new Hono<Env>().get('/:organization/:hash', async (c) => {
    const { organization, hash } = c.req.param();
    const picture = await forOrganization(db, organization)
      .selectFrom('form_picture')
      .select('content')
      .where('hash', '=', hash)
      .executeTakeFirst();
    if (!picture) throw notFound('picture', hash);
    return c.body(Uint8Array.from(picture.content), 200, {
      'Content-Type': 'image/webp',
      'Cache-Control': 'public, max-age=31536000, immutable',
      // Giving pages are on the origin of the server.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
  });
