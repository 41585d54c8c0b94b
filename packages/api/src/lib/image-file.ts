import { imageSize } from 'image-size';

const MEDIA_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;

/** What the first bytes of an image say. */
interface ImageFile {
  media_type: (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES];
  /** Size in pixels. */
  width: number;
  height: number;
}

/**
 * Reads format and size of an image from its content, not from the name of the file.
 *
 * @returns undefined if it is no PNG, JPEG or WebP image
 */
export function readImageFile(file: Uint8Array): ImageFile | undefined {
  try {
    const { type = '', width, height } = imageSize(file);
    const media_type = (MEDIA_TYPES as Partial<Record<string, ImageFile['media_type']>>)[type];
    return media_type && { media_type, width, height };
  } catch {
    return undefined;
  }
}
