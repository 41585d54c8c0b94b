import { invalidRequest } from '@connect-embed/contract';
import { readImageFile } from '@connect-embed/api/lib/image-file';
import type { FormPicture } from '@connect-embed/api/resources/forms/edit-picture';

/** Largest file of a picture, in bytes: photos of phones have up to 6 MB. */
export const MAX_PICTURE_BYTES = 7 * 1024 * 1024;
const MIN_SIDE_PX = 320;
/** A file of few bytes can decode to gigabytes of pixels. */
const MAX_PIXELS = 50_000_000;
/** Twice the width of the picture on the page, for screens with two pixels per CSS pixel. */
const STORED_BOX_PX = { width: 1280, height: 1280 };
const QUALITY = 80;

/**
 * Checks an uploaded picture and returns it as it is stored: reduced, upright, as WebP, and without the data
 * of the camera, which can contain the place.
 *
 * @throws {ConnectError} `invalid_request` for the parameter `picture`
 */
export async function toStoredPicture(file: Uint8Array): Promise<FormPicture> {
  if (file.byteLength > MAX_PICTURE_BYTES)
    throw invalidRequest('picture', `must have at most ${MAX_PICTURE_BYTES / 1024 / 1024} MB.`);
  // Checked before the file is decoded, so that the decoder gets these formats only.
  const image = readImageFile(file);
  if (!image) throw invalidRequest('picture', 'must be a PNG, JPEG or WebP image.');
  const { width, height } = image;
  if (Math.min(width, height) < MIN_SIDE_PX)
    throw invalidRequest('picture', `must be at least ${MIN_SIDE_PX} pixels wide and high.`);
  if (width * height > MAX_PIXELS)
    throw invalidRequest('picture', `must have at most ${MAX_PIXELS / 1_000_000} megapixels.`);
  const { default: sharp } = await import('sharp');
  const stored = sharp(file, { limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .resize({ ...STORED_BOX_PX, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY });
  const { data, info } = await stored
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw invalidRequest('picture', 'cannot be read. Save it again in another program.', {
        cause,
      });
    });
  return { content: data, width: info.width, height: info.height };
}
