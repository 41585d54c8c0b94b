import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Locator, Page } from 'playwright/test';

/** Set while the pictures of the guide are taken. */
export const SCREENSHOTS_VARIABLE = 'WORDPRESS_SCREENSHOTS';

const FOLDER = join(import.meta.dirname, '../../../docs/site-builders/images');

/** Takes a picture for the guide, if pictures are wanted. */
export async function illustrate(target: Page | Locator, name: string): Promise<void> {
  if (!process.env[SCREENSHOTS_VARIABLE]) return;
  await mkdir(FOLDER, { recursive: true });
  const picture = await target.screenshot({ animations: 'disabled' });
  // A palette makes screenshots a third of the size, without visible loss.
  await sharp(picture)
    .png({ palette: true, quality: 90 })
    .toFile(join(FOLDER, `${name}.png`));
}
