import { ConnectError } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { etagMatches, type Env } from '@connect-embed/server/pages';
import {
  findForm,
  findOwner,
  imageVersion,
  isAddressWrong,
  shareTexts,
  type Deps,
} from './find-form.ts';
import { ShareImages, type DrawShareImage } from './share-image.ts';

/** How long social networks may use an image without asking for a newer one, in seconds. */
const IMAGE_MAX_AGE_SECONDS = 300;
/** How long browsers may show a picture. Another picture has another address. */
const PICTURE_MAX_AGE_SECONDS = 86_400;
/** How long browsers may show a logo without asking for a newer one, in seconds. */
const LOGO_MAX_AGE_SECONDS = 300;

/** On a platform, the paths name the connected organization. */
const SHARE_IMAGE_PATHS = ['/give/:form/image.png', '/give/:organization/:form/image.png'];
const PICTURE_PATHS = ['/give/:form/picture.webp', '/give/:organization/:form/picture.webp'];
const LOGO_PATHS = ['/organization-logo', '/organization-logo/:organization'];

/**
 * `GET /give/{form}/image.png` for social networks, `GET /give/{form}/picture.webp` of the page itself, and
 * `GET /organization-logo`.
 */
export function imageRoutes(deps: Deps, drawShareImage: DrawShareImage | undefined) {
  const images = drawShareImage && new ShareImages(drawShareImage);
  return new Hono<Env>()
    .on('GET', SHARE_IMAGE_PATHS, (c) => sendImage(c, deps, images))
    .on('GET', PICTURE_PATHS, (c) => sendPicture(c, deps))
    .on('GET', LOGO_PATHS, (c) => sendLogo(c, deps));
}

/** @throws {ConnectError} `not_found` if there is no such form, or this server draws no images */
async function sendImage(c: Context<Env>, deps: Deps, images: ShareImages | undefined) {
  const found = await findForm(c, deps);
  if (found.error && !found.row) throw isAddressWrong(found) ? noImage() : found.error;
  const { profile, logo } = await findOwner(deps, found);
  if (!images || !profile) throw noImage();
  const version = imageVersion(found, profile, logo);
  const tag = `"${version}"`;
  c.header('ETag', tag);
  c.header('Cache-Control', `public, max-age=${IMAGE_MAX_AGE_SECONDS}`);
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  if (etagMatches(c.req.header('if-none-match'), tag)) return c.body(null, 304);
  const png = await images.get(found.name, version, { ...shareTexts(found, profile), logo });
  return c.body(png, 200, { 'Content-Type': 'image/png' });
}

const noImage = () => new ConnectError('not_found', 'There is no such page, or it has no image.');

/** @throws {ConnectError} `not_found` if the page has no picture */
async function sendPicture(c: Context<Env>, deps: Deps) {
  const url = (await findForm(c, deps)).row?.page?.picture?.url;
  const picture = url === undefined ? undefined : await deps.organizations.findPicture(url);
  if (picture?.type !== 'image/webp')
    throw new ConnectError('not_found', 'There is no such page, or it has no picture.');
  c.header('Cache-Control', `public, max-age=${PICTURE_MAX_AGE_SECONDS}`);
  return c.body(picture.content, 200, { 'Content-Type': 'image/webp' });
}

/** @throws {ConnectError} `not_found` if the organization has no logo */
async function sendLogo(c: Context<Env>, { organizations }: Deps) {
  const logo = await organizations.findLogo(c.req.param('organization'));
  if (!logo) throw new ConnectError('not_found', 'The organization has no logo.');
  c.header('Cache-Control', `public, max-age=${LOGO_MAX_AGE_SECONDS}`);
  return c.body(logo.content, 200, { 'Content-Type': logo.type });
}
