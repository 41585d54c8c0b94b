import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, crc32 } from 'node:zlib';
import { Organization } from '@connect-embed/contract';
import { OWNER, startOauth, VOLUNTEER } from '@connect-embed/api/test-support/app/start-oauth';
import { attributesOf, textOf } from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor } = await startOauth();
const PROFILE = '/dashboard/org_harbor/organization';
const PNG = createPng(120, 60);

/** Creates a transparent PNG image. */
function createPng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.alloc((width * 4 + 1) * height))),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

function fileForm(content: Uint8Array<ArrayBuffer>, name = 'logo.png'): FormData {
  const form = new FormData();
  form.set('logo', new File([content], name));
  return form;
}

async function signedIn() {
  const person = visitor();
  await person.openAs(OWNER, PROFILE);
  return person;
}

async function readLogoUrl(): Promise<string | null> {
  const response = await api.get('/organization', ['reference:read']);
  return Organization.parse(await response.json()).logo_url;
}

test('a logo is shown, readable by everybody, and removed', async () => {
  const person = await signedIn();
  const saved = await person.post(`${PROFILE}/logo`, fileForm(PNG));
  assert.match(saved.text, /Logo saved/);
  const [path = ''] = attributesOf(saved.document, 'img.logo', 'src');
  assert.equal(await readLogoUrl(), api.deps.baseUrl + path);

  const image = await fetch(api.url + path);
  assert.equal(image.headers.get('content-type'), 'image/png');
  assert.equal(image.headers.get('x-content-type-options'), 'nosniff');
  assert.match(image.headers.get('cache-control') ?? '', /public.*immutable/);
  assert.deepEqual(await image.bytes(), PNG);

  await person.post(`${PROFILE}/logo`, fileForm(createPng(64, 64)));
  assert.equal((await fetch(api.url + path)).status, 404);

  const removed = await person.post(`${PROFILE}/logo/remove`, {});
  assert.match(removed.text, /Logo removed/);
  assert.equal(await readLogoUrl(), null);
});

for (const [description, content, problem] of [
  ['no file', new Uint8Array(), 'Select an image'],
  [
    'an SVG image, which can contain scripts',
    new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"/>'),
    'PNG, JPEG or WebP',
  ],
  ['a file that is no image', new TextEncoder().encode('hello'), 'PNG, JPEG or WebP'],
  ['a broken image', PNG.slice(0, 12), 'PNG, JPEG or WebP'],
  ['a tiny image', createPng(8, 8), 'between 32 and 4000 pixels'],
  ['a file that is too large', new Uint8Array(600 * 1024), 'at most 512 KB'],
] as const) {
  test(`${description} is rejected at the field`, async () => {
    const person = await signedIn();
    const response = await person.post(`${PROFILE}/logo`, fileForm(content));
    assert.equal(response.status, 400);
    assert.ok(textOf(response.document, '#logo-problem')?.includes(problem));
  });
}

test('a form without a file and a body that is far too large are rejected', async () => {
  const person = await signedIn();
  assert.equal((await person.post(`${PROFILE}/logo`, { logo: 'text' })).status, 400);
  const huge = await person.post(`${PROFILE}/logo`, fileForm(new Uint8Array(9 * 1024 * 1024)));
  assert.equal(huge.status, 413);
});

test('a page without a file accepts no large form, also from people who are not signed in', async () => {
  const response = await visitor().post('/sign-in', fileForm(new Uint8Array(100 * 1024)));
  assert.equal(response.status, 413);
});

test('name and website are saved, and invalid ones keep the typed values', async () => {
  const person = await signedIn();
  const rejected = await person.post(PROFILE, { name: ' ', website: 'typed' });
  assert.equal(rejected.status, 400);
  assert.match(rejected.text, /Enter the name/);
  assert.ok(rejected.document.querySelector('[value="typed"]'));
  const saved = await person.post(PROFILE, {
    name: 'Harbor & Street',
    website: 'https://www.harborstreet.example',
  });
  assert.ok(saved.document.querySelector('[value="Harbor & Street"]'));
  assert.match(saved.text, /Name and website saved/);
});

test('owners and admins only', async () => {
  assert.equal((await visitor().openAs(VOLUNTEER, PROFILE)).status, 403);
});
