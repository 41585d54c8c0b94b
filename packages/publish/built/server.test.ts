import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { build } from 'vite';
import { VERSION } from '../../../test/support/version.ts';
import { InstalledSite } from './installed-site.ts';

const site = new InstalledSite();
after(() => site.remove());

/** Requests the script from a handler, and prints the status and the first characters of each file. */
const PRINT_SCRIPTS = `
for (const path of ['/connect/connect.js', '/connect/v${VERSION}/connect.js', '/connect/no.js']) {
  const response = await connect.fetch(new Request('https://www.example.org' + path));
  const text = await response.text();
  console.log(response.status, response.status === 200 ? /import\\(/.test(text) : '');
}`;
const OPTIONS = `basePath: '/connect', apiBase: 'http://127.0.0.1:9/api/v1', apiKey: 'key',
  sessionSecret: 'a session secret of this test, long enough'`;
const SCRIPTS_SERVED = '200 true\n200 true\n404 \n';

function run(file: string, text: string): string {
  writeFileSync(join(site.folder, file), text);
  return execFileSync(process.execPath, [file], { cwd: site.folder, encoding: 'utf8' });
}

describe('@connect-embed/server', () => {
  test('serves the script from its files when mounted in Node', () => {
    const output = run(
      'node.mjs',
      `import { createConnectServer } from '@connect-embed/server';
       import { nodeOptions } from '@connect-embed/server/node';
       const connect = createConnectServer({ ...nodeOptions(), ${OPTIONS} });
       ${PRINT_SCRIPTS}`,
    );
    assert.equal(output, SCRIPTS_SERVED);
  });

  test('serves the script from a program of one file without Node’s modules, as in a worker', async () => {
    const entry = join(site.folder, 'worker.js');
    writeFileSync(
      entry,
      `import { createConnectServer } from '@connect-embed/server';
       import { scripts } from '@connect-embed/server/scripts';
       const connect = createConnectServer({ scripts, ${OPTIONS} });
       ${PRINT_SCRIPTS}`,
    );
    const result = await build({
      configFile: false,
      root: site.folder,
      logLevel: 'error',
      ssr: { target: 'webworker', noExternal: true },
      build: { ssr: entry, write: false },
    });
    const [bundled] = [result].flat();
    if (!bundled || !('output' in bundled)) throw new Error('There is no program.');
    assert.equal(bundled.output.length, 1);
    const { code } = bundled.output[0];
    assert.doesNotMatch(code, /\bfrom\s*['"]node:|\brequire\(['"]node:/);
    assert.equal(run('bundle.mjs', code), SCRIPTS_SERVED);
  });
});
