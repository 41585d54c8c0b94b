import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { SERVER_KEY } from '@connect-embed/api/test-support/app/start-api';
import { unzipSync } from 'fflate';
import { OWNER, startOauth } from '@connect-embed/api/test-support/app/start-oauth';
import { attributesOf, readDocument } from '@connect-embed/api/test-support/browser/read-document';
import { siteBuilderLinks } from './site-builders.ts';

const SERVER = 'https://donate.harborstreet.example';
const { api, visitor } = await startOauth({
  env: { SERVER_BASE_URL: SERVER, SERVER_API_KEY: SERVER_KEY },
});
await api.addServerKey();
const PATH = '/help/site-builders';
const FOLDER = new URL('../../../../docs/site-builders/', import.meta.url);
const PLUGIN = new URL('../../../../integrations/wordpress/', import.meta.url);
const GUIDES = attributesOf(readDocument(String(siteBuilderLinks())), 'a', 'href').map((href) =>
  href.replace(/^.*site-builders\//, ''),
);

const open = async (path: string) => await api.app.request(PATH + path);

describe('the guides for site builders', () => {
  test('are all linked, and no other', () => {
    const files = globSync('*.md', { cwd: FOLDER }).filter((file) => file !== 'README.md');
    assert.deepEqual(GUIDES.map((name) => `${name}.md`).sort(), files.sort());
  });

  for (const name of GUIDES) {
    test(`${name} has the code of the form, and shows its pictures`, async () => {
      const response = await open(`/${name}?form=gala-2027`);
      assert.equal(response.status, 200);
      const page = await response.text();
      assert.match(page, /gala-2027/);
      assert.ok(page.includes(SERVER));
      assert.doesNotMatch(page, /giving\.example\.org|meals/);
      const images = `img[src^="${PATH}/images/"][alt]:not([alt=""])`;
      const pictures = attributesOf(readDocument(page), images, 'src');
      assert.ok(pictures.length > 0);
      for (const path of pictures) {
        const picture = await api.app.request(path);
        assert.equal(picture.status, 200, path);
        assert.match(picture.headers.get('content-type')!, /^image\//);
        assert.match(picture.headers.get('content-security-policy')!, /default-src 'none'/);
      }
    });
  }

  test('have the WordPress plugin as a zip file with its license', async () => {
    const guide = await (await open('/wordpress')).text();
    const [path] = attributesOf(readDocument(guide), `a[href^="${PATH}/"][href$=".zip"]`, 'href');
    const response = await api.app.request(path!);
    assert.equal(response.headers.get('content-type'), 'application/zip');
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    const plugin = globSync('connect-embed/**/*.*', { cwd: PLUGIN });
    assert.deepEqual(Object.keys(files).sort(), ['connect-embed/LICENSE', ...plugin].sort());
    const main = 'connect-embed/connect-embed.php';
    assert.deepEqual(Buffer.from(files[main]!), readFileSync(new URL(main, PLUGIN)));
  });

  test('show an example without a form, or with an invalid one', async () => {
    const example = await (await open('/html')).text();
    assert.match(example, /form=&quot;meals&quot;/);
    assert.equal(await (await open('/html?form=%3Cscript%3E')).text(), example);
  });

  test('are linked from the page of a form and from the allowed sites', async () => {
    const person = visitor();
    const sites = await person.openAs(OWNER, '/dashboard/org_harbor/allowed-sites');
    assert.ok(sites.document.querySelector(`a[href="${PATH}"]`));
    assert.equal((await open('')).headers.get('location'), `${PATH}/wordpress`);
    const form = await person.open('/dashboard/org_harbor/forms/form_website/share');
    assert.match(form.text, /site-builders\/wix\?form=website"/);
    assert.match(form.text, /site-builders\/connect-embed\.zip"/);
  });

  test('other names are not found', async () => {
    for (const path of ['/nothing', '/README', '/images/nothing.png', '/images/..%2Fwix.md']) {
      assert.equal((await open(path)).status, 404, path);
    }
  });

  test('say nothing that this page cannot show: links to other documents', () => {
    for (const name of GUIDES) {
      const text = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');
      assert.doesNotMatch(
        text,
        /\]\((?!images\/|\.\.\/\.\.\/integrations\/wordpress\/README\.md)/,
        name,
      );
    }
  });
});
