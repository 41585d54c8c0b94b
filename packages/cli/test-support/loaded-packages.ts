/**
 * Prints which packages, folders of `src` and packages with pages a process role loads, one per line:
 * `node loaded-packages.ts worker`.
 */
import { registerHooks } from 'node:module';

const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    const name =
      /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/|\/api\/(src\/[^/]+)\/|\/(dashboard|donor-pages)\/src\//.exec(
        url,
      );
    if (name) loaded.add((name[1] ?? name[2] ?? name[3])!);
    return next(url, context);
  },
});

const { isRole, loadRole } = await import('@connect-embed/api/process/roles');
const { loadPages } = await import('../src/service/load-pages.ts');
const [, , role = ''] = process.argv;
if (!isRole(role)) throw new Error(`There is no role ${role}.`);
await loadRole(role, loadPages);
console.log([...loaded].join('\n'));
