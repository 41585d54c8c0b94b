import { createHash } from 'node:crypto';
import type { Bytes } from '@connect-embed/server/pages';
import type { ApiImage } from './load-image.ts';

/** Size of the image in pixels, as social networks recommend it. */
export const SHARE_IMAGE_SIZE = { width: 1200, height: 630 };

/** What the image of a giving page shows beside the logo. */
export interface ShareTexts {
  organization: string;
  /** The title of the page; null if it has none of its own. */
  title: string | null;
  /** `#rrggbb` */
  accent: string;
}

/** What the image of a giving page shows. */
export interface ShareImage extends ShareTexts {
  logo: ApiImage | undefined;
}

/** Draws an image as a PNG file. */
export type DrawShareImage = (image: ShareImage) => Promise<Bytes>;

/**
 * Keeps the latest image of each form. Concurrent requests for one image share the drawing of it.
 */
export class ShareImages {
  readonly #draw: DrawShareImage;
  readonly #images = new Map<string, { version: string; png: Promise<Bytes> }>();

  constructor(draw: DrawShareImage) {
    this.#draw = draw;
  }

  /** @param version changes with the content of the image */
  async get(form: string, version: string, image: ShareImage): Promise<Bytes> {
    const existing = this.#images.get(form);
    if (existing?.version === version) return await existing.png;
    const png = this.#draw(image);
    this.#images.set(form, { version, png });
    png.catch(() => this.#images.delete(form));
    return await png;
  }
}

/** Returns a text that changes with the content of an image. */
export function shareImageVersion(
  { organization, title, accent }: ShareTexts,
  logoUrl: string | null,
): string {
  const content = JSON.stringify([organization, title, accent, logoUrl]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
