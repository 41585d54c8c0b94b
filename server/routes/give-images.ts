import { ConnectError } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import type { Deps, Env } from '../env.ts';
import { ShareImages } from '../giving-page/share-image.ts';
import { etagMatches } from '../cache/shared-body.ts';
import { findForm, findOwner, imageVersion, isAddressWrong, shareTexts } from './give-form.ts';

/** How long social networks may use an image without asking for a newer one, in seconds. */
const IMAGE_MAX_AGE_SECONDS = 300;
/** How long browsers may show a logo without asking for a newer one, in seconds. */
const LOGO_MAX_AGE_SECONDS = 300;

/** The images of giving pages. On a platform, their paths name the connected organization. */
export const GIVING_IMAGE_PATHS = {
  shareImages: ['/give/:form/image.png', '/give/:organization/:form/image.png'],
  logos: ['/organization-logo', '/organization-logo/:organization'],
};

/** `GET /give/{form}/image.png` for social networks, and `GET /organization-logo`. */
export const giveImageRoutes = (deps: Deps) => {
  const { drawShareImage } = deps.config;
  const images = drawShareImage && new ShareImages(drawShareImage);
  return new Hono<Env>()
    .on('GET', GIVING_IMAGE_PATHS.shareImages, (c) => sendImage(c, deps, images))
    .on('GET', GIVING_IMAGE_PATHS.logos, (c) => sendLogo(c, deps));
};

/** @throws {ConnectError} `not_found` if there is no such form, or this server draws no images */
async function sendImage(c: Context<Env>, deps: Deps, images: ShareImages | undefined) {
  const found = await findForm(c, deps);
  if (found.error && !found.row) throw isAddressWrong(found) ? noImage() : found.error;
  const { profile, logo } = await findOwner(deps, found);
  if (!images || !profile) throw noImage();
  const version = await imageVersion(found, profile, logo);
  const tag = `"${version}"`;
  c.header('ETag', tag);
  c.header('Cache-Control', `public, max-age=${IMAGE_MAX_AGE_SECONDS}`);
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  if (etagMatches(c.req.header('if-none-match'), tag)) return c.body(null, 304);
  const png = await images.get(found.name, version, { ...shareTexts(found, profile), logo });
  return c.body(png, 200, { 'Content-Type': 'image/png' });
}

const noImage = () => new ConnectError('not_found', 'There is no such page, or it has no image.');

/** @throws {ConnectError} `not_found` if the organization has no logo */
async function sendLogo(c: Context<Env>, { organizations }: Deps) {
  const logo = await organizations.findLogo(c.req.param('organization'));
  if (!logo) throw new ConnectError('not_found', 'The organization has no logo.');
  c.header('Cache-Control', `public, max-age=${LOGO_MAX_AGE_SECONDS}`);
  return c.body(logo.content, 200, { 'Content-Type': logo.type });
}
