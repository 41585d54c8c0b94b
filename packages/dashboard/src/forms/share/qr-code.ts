import { encode, renderSVG } from 'uqr';

/** Level M of error correction survives a stain on a poster; four modules around it are the standard. */
const OPTIONS = { ecc: 'M', border: 4 } as const;

/** Smallest side of a PNG in pixels, which is enough for a print of 10 cm. */
const MIN_PNG_SIDE = 1200;

/** Returns the QR code of a text as an SVG image. */
export const qrCodeSvg = (text: string): string => renderSVG(text, OPTIONS);

export const qrCodeDataUrl = (text: string): string =>
  `data:image/svg+xml,${encodeURIComponent(qrCodeSvg(text))}`;

/** Returns the QR code of a text as a PNG image, whose squares all have the same number of pixels. */
export async function qrCodePng(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  const { size, data } = encode(text, OPTIONS);
  const modules = Uint8Array.from(data.flat(), (isDark) => (isDark ? 0 : 255));
  const side = size * Math.ceil(MIN_PNG_SIDE / size);
  const png = sharp(modules, { raw: { width: size, height: size, channels: 1 } })
    .resize(side, side, { kernel: 'nearest' })
    .png();
  return new Uint8Array(await png.toBuffer());
}
