import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/fixtures.ts';
import { VERSION } from '../support/version.ts';

/**
 * Every path that a document names is served by a service of the demo. The addresses of pages
 * that embed elements have another test: server/documented-addresses.test.ts
 */
const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = globSync(
  '{*.md,docs/*.md,docs/{api,organizations,site-builders}/*.md,{packages/*,server,demo}/README.md,packages/publish/readmes/*.md}',
  { cwd: ROOT },
).filter((file) => !/(?:conformance|CHANGELOG)\.md$/.test(file));
/** A path in code style, such as `GET /donations/{id}`, or the path of a URL of a running system. */
const IN_CODE = /`(?:([A-Z]+) )?(\/[^\s`|*…]*)`/g;
const IN_URL =
  /https?:\/\/(?:localhost:4[01]00|(?:api|giving|connect)\.example\.org)(\/[^\s"'`)>|<…]*)/g;

/** Texts that look like a path, and paths below which others are served. */
const NO_REQUESTS = new Set(['/api/v1', '/connect', '/html']);
/** Files of the operator's machine or of the container. */
const FILE = /^\/(?:app|etc|usr|var)\//;
/** Paths that need other settings than those of this system, with the test that requests each. */
const WITH_OTHER_SETTINGS: Readonly<Record<string, string>> = {
  '/metrics': 'packages/cli/src/service/roles.test.ts',
  '/oauth/start': 'server/routes/oauth.test.ts',
  '/oauth/callback': 'server/routes/oauth.test.ts',
  '/give/{organization}/{form}': 'packages/donor-pages/src/giving-page/platform.test.ts',
  '/give/org_harbor/spring': 'packages/donor-pages/src/giving-page/platform.test.ts',
};

/** Each documented request, such as `GET /donations`, with the files that name it. */
function readRequests(): Map<string, string[]> {
  const requests = new Map<string, string[]>();
  for (const file of DOCUMENTS) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const named = [
      ...[...text.matchAll(IN_CODE)].map(([, method, path]) => [method ?? 'GET', path!] as const),
      ...[...text.matchAll(IN_URL)].map(([, path]) => ['GET', path!] as const),
    ];
    for (const [method, path] of named) {
      if (NO_REQUESTS.has(path) || FILE.test(path) || path in WITH_OTHER_SETTINGS) continue;
      const request = `${method} ${path}`;
      requests.set(request, [...new Set([...(requests.get(request) ?? []), file])]);
    }
  }
  return requests;
}

test('every documented path is served', async ({ system }) => {
  const api = new URL(system.api_base).origin;
  const isServed = async (method: string, path: string) => {
    const concrete = path
      .replaceAll('{form}', 'default')
      .replace(/\/(give|embed)\/(spring|meals)/, '/$1/default')
      .replaceAll(/\{\w+\}/g, 'x')
      .replace('v1.2.3', `v${VERSION}`);
    for (const base of [api, system.api_base, system.server, system.site, system.sandbox]) {
      const response = await fetch(base + concrete, { method, redirect: 'manual' });
      await response.body?.cancel();
      // 405: the path exists, and the document does not say its method.
      if (response.status !== 404) return true;
    }
    return false;
  };
  const requests = readRequests();
  expect(requests.size).toBeGreaterThan(50);
  const missing: string[] = [];
  for (const [request, files] of requests) {
    const [method, path] = request.split(' ') as [string, string];
    if (!(await isServed(method, path))) missing.push(`${request}: ${files.join(', ')}`);
  }
  expect(missing).toEqual([]);
});

test('every documented path that needs other settings has a test', () => {
  for (const [path, file] of Object.entries(WITH_OTHER_SETTINGS)) {
    const [start] = /^\/\w+(\/[a-z]+(?![\w{]))?/.exec(path)!;
    expect(readFileSync(join(ROOT, file), 'utf8'), file).toContain(start);
  }
});
