/** `npm run docs:build` writes the docs site as static files. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from './build-site.ts';
import { ROOT } from './pages.ts';

const HELP = `npm run docs:build: write the docs site as static files.

  --out FOLDER   dist/docs   the folder, which is replaced

The files work below any path. Run \`npm run build\` before: the playground contains the script of the elements.`;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/docs' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help) console.log(HELP);
else {
  await buildSite(resolve(ROOT, values.out));
  console.log(`The docs site is in ${values.out}.`);
}
