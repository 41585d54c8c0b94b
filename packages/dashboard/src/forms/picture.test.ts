import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Form, List } from '@connect-embed/contract';
import sharp from 'sharp';
import { OWNER, startOauth, VOLUNTEER } from '@connect-embed/api/test-support/app/start-oauth';
import { attributesOf, textOf } from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor } = await startOauth();
const FORM = '/dashboard/org_harbor/forms/form_website';
const PICTURE = `${FORM}/picture`;

const draw = async (width: number, height: number, background = '#c2410c') =>
  Uint8Array.from(
    await sharp({ create: { width, height, channels: 3, background } })
      .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer(),
  );
const PHOTO = await draw(3000, 2000);

function pictureForm(content: Uint8Array<ArrayBuffer>, alt = ''): FormData {
  const form = new FormData();
  form.set('picture', new File([content], 'photo.jpg'));
  form.set('alt', alt);
  return form;
}

async function signedIn() {
  const person = visitor();
  await person.openAs(OWNER, FORM);
  return person;
}

async function publishedPage() {
  const response = await api.get('/forms', ['reference:read']);
  const { data } = (await response.json()) as List<Form>;
  return data.find(({ slug }) => slug === 'website')!.page;
}

const storedPictures = async () =>
  (await api.db.selectFrom('form_picture').select('hash').execute()).length;

test('a picture is reduced, stored without data of the camera, and shown once it is published', async () => {
  const person = await signedIn();
  const editor = await person.post(PICTURE, pictureForm(PHOTO, 'Volunteers'));
  assert.match(editor.text, /Picture saved in the draft/);
  const [path = ''] = attributesOf(editor.document, 'img.picture', 'src');
  assert.equal((await publishedPage()).picture, null);

  const image = await fetch(api.url + path);
  assert.equal(image.headers.get('content-type'), 'image/webp');
  assert.equal(image.headers.get('x-content-type-options'), 'nosniff');
  assert.match(image.headers.get('cache-control') ?? '', /public.*immutable/);
  const { format, width, height, exif } = await sharp(await image.bytes()).metadata();
  assert.deepEqual([format, width, height, exif], ['webp', 1280, 853, undefined]);

  await person.send(await person.open(FORM), `${FORM}/publish`, {});
  const url = api.deps.baseUrl + path;
  assert.deepEqual((await publishedPage()).picture, { url, width, height, alt: 'Volunteers' });
});

test('only the description changes without a file; a removed picture stays until it is published', async () => {
  const person = await signedIn();
  await person.post(PICTURE, pictureForm(await draw(800, 600), 'Volunteers'));
  await person.send(await person.open(FORM), `${FORM}/publish`, {});
  const before = (await publishedPage()).picture!;
  await person.post(PICTURE, pictureForm(new Uint8Array(), 'Our kitchen'));
  await person.send(await person.open(FORM), `${FORM}/publish`, {});
  assert.deepEqual((await publishedPage()).picture, { ...before, alt: 'Our kitchen' });

  const removed = await person.post(`${PICTURE}/remove`, {});
  assert.match(removed.text, /Picture removed from the draft/);
  assert.equal((await fetch(before.url)).status, 200);
  await person.send(await person.open(FORM), `${FORM}/publish`, {});
  assert.equal((await publishedPage()).picture, null);
});

test('pictures that no draft and no version has are deleted', async () => {
  const person = await signedIn();
  const count = await storedPictures();
  await person.post(PICTURE, pictureForm(await draw(400, 400, '#123456')));
  await person.post(PICTURE, pictureForm(await draw(400, 400, '#654321')));
  assert.equal(await storedPictures(), count + 1);
  await person.post(`${PICTURE}/remove`, {});
  assert.equal(await storedPictures(), count);
});

for (const [description, content, problem] of [
  ['no file', new Uint8Array(), 'Select an image'],
  [
    'an SVG image, which can contain scripts',
    new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500"/>'),
    'PNG, JPEG or WebP',
  ],
  ['a broken image', PHOTO.slice(0, 2000), 'be read. Save it again'],
  ['a small image', await draw(300, 600), 'at least 320 pixels'],
  ['an image of too many pixels', await draw(10_000, 6000), 'at most 50 megapixels'],
  ['a file that is too large', new Uint8Array(7.5 * 1024 * 1024), 'at most 7 MB'],
] as const) {
  test(`${description} is rejected at the field`, async () => {
    const person = await signedIn();
    await person.post(`${PICTURE}/remove`, {});
    const response = await person.post(PICTURE, pictureForm(content));
    assert.equal(response.status, 400);
    const shown = textOf(response.document, '#picture-problem');
    assert.ok(shown?.includes(problem), shown);
  });
}

test('a member without the right to edit forms cannot change the picture', async () => {
  const person = visitor();
  await person.openAs(VOLUNTEER, FORM);
  assert.equal((await person.open(PICTURE)).status, 403);
  assert.equal((await person.post(PICTURE, pictureForm(PHOTO))).status, 403);
  assert.equal((await person.post(`${PICTURE}/remove`, {})).status, 403);
});
