import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER, startOauth } from '@connect-embed/api/test-support/app/start-oauth';
import { attributesOf, textsOf } from '@connect-embed/api/test-support/browser/read-document';

const { visitor } = await startOauth();
const HOME = '/dashboard/org_harbor';

/**
 * Terms that the dashboard must not use, because the embedded tables and CSV files use another
 * term.
 */
const OTHER_TERMS =
  /\b(gifts?|giving|planned|left for you|kind|came|begun|not begun)\b|\bReturned\b|\bState\b/i;

/** An email to donors, in the words for donors. */
const SAMPLE_EMAIL = `${HOME}/receipts/sample`;

/** Elements that contain labels of the page rather than user data: headings, labels and buttons. */
const LABELS = 'h1, h2, th, dt, label, legend, summary, button, option';

/** Replaces ids in a path, so that only the first page of each kind is checked. */
const templateOf = (path: string) => path.slice(HOME.length).replace(/\/[a-z]+_\w+/g, '/:id');

test('dashboard pages use the same terms as the embedded tables and CSV files', async () => {
  const owner = visitor();
  const open = [HOME];
  const checkedPaths = new Set<string>();
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    if (checkedPaths.has(templateOf(path))) continue;
    checkedPaths.add(templateOf(path));
    const { document, headers } = await owner.openAs(OWNER, path);
    if (!headers.get('content-type')?.startsWith('text/html')) continue;
    for (const label of textsOf(document, LABELS)) assert.doesNotMatch(label, OTHER_TERMS, path);
    const links = attributesOf(document, `a[href^="${HOME}/"]`, 'href');
    open.push(...links.filter((href) => !/[?#]/.test(href) && href !== SAMPLE_EMAIL));
  }
  for (const list of ['donations', 'donors', 'payouts']) {
    assert.ok(checkedPaths.has(`/${list}/:id`), `${list}: ${[...checkedPaths].join(' ')}`);
  }
});
