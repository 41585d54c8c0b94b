import { fileURLToPath } from 'node:url';
import { initialOf } from '@connect-embed/contract/initial';
import { hasVisibleText } from '@connect-embed/contract/visible-text';
import type sharpFunction from 'sharp';
import type { OverlayOptions, Sharp } from 'sharp';
import { SHARE_IMAGE_SIZE, type DrawShareImage, type ShareImage } from './share-image.ts';

/** The fonts that are part of this package. Texts in Chinese and Japanese use a font of the system. */
const FONT_FILES = [
  'NotoSans-Bold',
  'NotoSansArabic-Bold',
  'NotoSansHebrew-Bold',
  'NotoSansDevanagari-Bold',
].map((name) => fileURLToPath(new URL(`fonts/${name}.ttf`, import.meta.url)));
const [FONT_FILE = ''] = FONT_FILES;
const FONT = 'Noto Sans Bold';

type SharpFunction = typeof sharpFunction;

const { width: WIDTH, height: HEIGHT } = SHARE_IMAGE_SIZE;
const MARGIN = 80;
const LOGO_BOX = { width: 320, height: 112 };
const TITLE_BOX = { width: WIDTH - 2 * MARGIN, height: 290 };
const TITLE_TOP = 236;
const COLORS = { ground: '#ffffff', text: '#1c2328', muted: '#565d62' };

/**
 * Returns a function that draws the images of giving pages. The library is loaded with the first
 * image, because a server without social media needs none.
 */
export function createShareImageDrawer(): DrawShareImage {
  let loading: Promise<SharpFunction> | undefined;
  return async (image) => {
    loading ??= loadSharp();
    return await drawShareImage(await loading, image);
  };
}

/** Loads the library with our fonts. A font is known to all later texts once one text has named it. */
async function loadSharp(): Promise<SharpFunction> {
  const { default: sharp } = await import('sharp');
  for (const fontfile of FONT_FILES)
    await sharp({ text: { text: 'a', font: FONT, fontfile } }).toBuffer();
  return sharp;
}

async function drawShareImage(sharp: SharpFunction, image: ShareImage) {
  const { organization, accent } = image;
  const title = toDrawable(image.title ?? '');
  const headline = title || organization;
  const isRightToLeft = startsRightToLeft(headline);
  const at = (left: number, width: number) => (isRightToLeft ? WIDTH - left - width : left);
  const layers: OverlayOptions[] = [];

  const logo = await drawLogo(sharp, image);
  layers.push({ ...logo, left: at(MARGIN, logo.width), top: MARGIN });
  if (title) {
    const left = MARGIN + logo.width + 28;
    const box = { width: WIDTH - MARGIN - left, height: LOGO_BOX.height };
    const name = await drawText(sharp, organization, { size: 34, color: COLORS.muted, ...box });
    const top = MARGIN + Math.round((logo.height - name.height) / 2);
    layers.push({ ...name, left: at(left, name.width), top: Math.max(top, 24) });
  }
  const size = headline.length > 80 ? 50 : headline.length > 40 ? 62 : 76;
  const text = await drawText(sharp, headline, { size, color: COLORS.text, ...TITLE_BOX });
  layers.push({ ...text, left: at(MARGIN, text.width), top: TITLE_TOP });

  const png = await sharp(Buffer.from(background(accent, isRightToLeft)))
    .composite(layers)
    .png({ compressionLevel: 9 })
    .toBuffer();
  return new Uint8Array(png);
}

const background = (accent: string, isRightToLeft: boolean) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="${COLORS.ground}"/>
    <g fill="${accent}">
      <circle cx="${isRightToLeft ? 60 : WIDTH - 60}" cy="${HEIGHT - 20}" r="250" opacity=".08"/>
      <circle cx="${isRightToLeft ? 60 : WIDTH - 60}" cy="${HEIGHT - 20}" r="150" opacity=".1"/>
      <rect y="${HEIGHT - 18}" width="100%" height="18"/>
    </g>
  </svg>`;

/** Draws the logo, or the first letter of the organization's name if there is no usable logo. */
async function drawLogo(sharp: SharpFunction, image: ShareImage) {
  if (image.logo) {
    const logo = sharp(image.logo.content).resize({ ...LOGO_BOX, fit: 'inside' });
    const drawn = await toLayer(logo).catch(() => undefined);
    if (drawn) return drawn;
  }
  const side = LOGO_BOX.height;
  const letter = await drawText(sharp, initialOf(image.organization), {
    size: 56,
    color: letterColor(image.accent),
    width: side - 20,
    height: side - 20,
  });
  const square = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">
    <rect width="100%" height="100%" rx="28" fill="${image.accent}"/></svg>`;
  return await toLayer(sharp(Buffer.from(square)).composite([{ ...letter, gravity: 'centre' }]));
}

/**
 * Returns black or white, whichever is easier to read on the accent color: its relative luminance
 * (WCAG 2.2) decides.
 */
function letterColor(accent: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = parseInt(accent.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

interface TextStyle {
  /** Size in pixels. */
  size: number;
  color: string;
  /** The text is wrapped at this width, and reduced to this height. */
  width: number;
  height: number;
}

/** Draws a text in one color on a transparent ground. */
async function drawText(sharp: SharpFunction, text: string, style: TextStyle) {
  const { size, color, width, height } = style;
  const markup = `<span foreground="${color}" size="${size}pt">${escapeMarkup(text)}</span>`;
  // With 72 dots per inch a point is a pixel.
  const options = { text: markup, font: FONT, fontfile: FONT_FILE, width, dpi: 72, rgba: true };
  return await toLayer(
    sharp({ text: { ...options, wrap: 'word-char' } }).resize({
      width,
      height,
      fit: 'inside',
      withoutEnlargement: true,
    }),
  );
}

async function toLayer(image: Sharp) {
  const { data, info } = await image.png().toBuffer({ resolveWithObject: true });
  return { input: data, width: info.width, height: info.height };
}

/** Escapes a text for Pango's markup, which must not be empty. */
const escapeMarkup = (text: string) =>
  toDrawable(text).replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`) || '·';

/** Removes control characters and emoji, which the fonts do not have. Empty if nothing visible is left. */
function toDrawable(text: string): string {
  const drawable = text.replace(/[\p{Cc}\p{Cs}\p{Extended_Pictographic}\u200d\ufe0f]/gu, '').trim();
  return hasVisibleText(drawable) ? drawable : '';
}

const startsRightToLeft = (text: string) =>
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);
