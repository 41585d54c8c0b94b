import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { createShareImageDrawer } from './draw-share-image.ts';

const draw = createShareImageDrawer();
const IMAGE = {
  organization: 'Harbor Street Food Bank',
  title: 'A warm meal for every child',
  accent: '#8a2be2',
  logo: undefined,
};

async function readImage(png: Uint8Array) {
  const { format, width, height } = await sharp(png).metadata();
  return { format, width, height };
}
const EXPECTED = { format: 'png', width: 1200, height: 630 };

/** Whether a region of the image has more than one color. */
async function hasInk(png: Uint8Array, left: number, width: number) {
  const region = sharp(png).extract({ left, top: 240, width, height: 280 });
  const { channels } = await sharp(await region.toBuffer()).stats();
  return channels.some(({ stdev }) => stdev > 0);
}

for (const [description, image] of [
  ['a title', IMAGE],
  ['no title', { ...IMAGE, title: null }],
  ['markup', { ...IMAGE, organization: '<b>&amp;"', title: '<span size="900pt">&\u0000\ud800 🎉' }],
  ['a title without any letter', { ...IMAGE, title: '🎉', organization: '🎉' }],
  ['invisible texts', { ...IMAGE, title: '\u2800\u200b', organization: '\u3164\u2060 \u00ad' }],
  ['a very long word', { ...IMAGE, title: 'W'.repeat(120), organization: 'W'.repeat(200) }],
  ['a broken logo', { ...IMAGE, logo: { type: 'image/png', content: Uint8Array.of(1, 2, 3) } }],
] as const) {
  test(`an image with ${description} is a PNG of 1200 × 630 pixels`, async () => {
    assert.deepEqual(await readImage(await draw(image)), EXPECTED);
  });
}

test('an image with a logo is a PNG of 1200 × 630 pixels', async () => {
  const red = { create: { width: 900, height: 90, channels: 3, background: '#ff0000' } } as const;
  const content = new Uint8Array(await sharp(red).webp().toBuffer());
  const png = await draw({ ...IMAGE, logo: { type: 'image/webp', content } });
  assert.deepEqual(await readImage(png), EXPECTED);
  const pixel = await sharp(png)
    .extract({ left: 100, top: 90, width: 1, height: 1 })
    .raw()
    .toBuffer();
  assert.ok(pixel[0]! > 200 && pixel[1]! < 80, `the logo is ${[...pixel]}`);
});

test('an image in Arabic starts at the right', async () => {
  const png = await draw({ ...IMAGE, organization: 'بنك الطعام', title: 'وجبة' });
  assert.ok(await hasInk(png, 900, 300));
  assert.ok(!(await hasInk(png, 300, 400)));
});
