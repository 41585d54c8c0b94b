/**
 * Prints which packages and folders of `src` a process role loads, one per line: `node
 * loaded-packages.ts worker`.
 */
import { registerHooks } from 'node:module';

const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/|\/api\/src\/([^/]+)\//.exec(url);
    if (name) loaded.add(name[1] ?? `src/${name[2]}`);
    return next(url, context);
  },
});

const { isRole, loadRole } = await import('../src/process/roles.ts');
const [, , role = ''] = process.argv;
if (!isRole(role)) throw new Error(`There is no role ${role}.`);
await loadRole(role);
console.log([...loaded].join('\n'));
