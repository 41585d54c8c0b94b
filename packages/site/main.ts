/** `npm run docs:build` writes the docs site as static files. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from './build-site.ts';
import { ROOT } from './pages.ts';

const HELP = `npm run docs:build: write the docs site as static files.

  --out FOLDER   dist/docs   the folder, which is replaced
  --base PATH                path at which the site is served, such as /docs/; by default the files
                             work below any path

Run \`npm run build\` before: the playground contains the script of the elements.`;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/docs' },
    base: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help) console.log(HELP);
else await run();

async function run() {
  const { base, out } = values;
  if (base !== undefined && !/^\/(?:.*\/)?$/.test(base)) {
    console.error(`--base: "${base}" does not begin and end with a slash, such as /docs/.`);
    process.exitCode = 1;
    return;
  }
  const folder = resolve(ROOT, out);
  await buildSite({ out: folder, base });
  console.log(`The docs site is in ${out}.`);
}
