import { builtinModules } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';

/** Test files of a package, which may also import what the table's `tests` column allows. */
const TEST_FILE = /\.test\.ts$|(^|\/)(testing|test-support)\//;

/** Configuration files of tools, which are not part of a package's code. */
const TOOL_FILE = /\.config\.m?js$/;

const SCOPE = '@connect-embed/';

/**
 * An ESLint rule that rejects imports that the table does not allow for the file's package.
 *
 * @param {Record<string, object>} table rows of `import-table.js`
 * @param {string} root folder of the repository
 */
export const importRule = (table, root) => ({
  meta: { type: 'problem', schema: [], messages: { forbidden: '{{problem}}' } },
  create(context) {
    const file = relative(root, context.filename).split(sep).join('/');
    const packageFolder = Object.keys(table).find((name) => file.startsWith(`${name}/`));
    if (!packageFolder || TOOL_FILE.test(file)) return {};
    const check = (node, source, typeOnly) => {
      if (typeof source?.value !== 'string') return;
      const message = problem({
        table,
        root,
        packageFolder,
        file,
        specifier: source.value,
        typeOnly,
      });
      if (message) {
        context.report({ node: source, messageId: 'forbidden', data: { problem: message } });
      }
    };
    return {
      ImportDeclaration: (node) => check(node, node.source, isTypeOnly(node)),
      ExportNamedDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, node.source, false),
    };
  },
});

function isTypeOnly({ importKind, specifiers }) {
  if (importKind === 'type') return true;
  return specifiers.length > 0 && specifiers.every((item) => item.importKind === 'type');
}

function problem({ table, root, packageFolder, file, specifier, typeOnly }) {
  if (specifier.startsWith('.')) {
    const target = relative(root, resolve(root, dirname(file), specifier));
    const inside = target.split(sep).join('/').startsWith(`${packageFolder}/`);
    return inside
      ? undefined
      : `${packageFolder} may not import files of another package by path: import it by name.`;
  }
  const row = table[packageFolder];
  const inside = file.slice(packageFolder.length + 1);
  const isTest = TEST_FILE.test(inside);
  const name = packageName(specifier);
  if (specifier.startsWith('node:') || builtinModules.includes(name)) {
    const allowed = row.node || isTest || row.nodeFiles?.includes(inside);
    return allowed
      ? undefined
      : `${packageFolder} may not import Node modules such as ${specifier}: it also runs outside Node.`;
  }
  if (isTest && row.tests.includes(name)) return undefined;
  if (name.startsWith(SCOPE)) return workspaceProblem(row, packageFolder, specifier, typeOnly);
  if (typeOnly && row.types?.includes(name)) return undefined;
  if (row.npmPackages.includes(name) || row.only?.[name]?.includes(inside)) return undefined;
  return `${packageFolder} may not import ${name}: see test/lint/import-table.js.`;
}

function workspaceProblem(row, packageFolder, specifier, typeOnly) {
  const [workspace, ...path] = specifier.slice(SCOPE.length).split('/');
  if (`packages/${workspace}` === packageFolder || workspace === packageFolder) return undefined;
  const access = row.workspacePackages[workspace];
  if (!access)
    return `${packageFolder} may not import ${SCOPE}${workspace}: see test/lint/import-table.js.`;
  const allowed = access === 'all' || typeOnly || row.values?.includes(path.join('/'));
  return allowed
    ? undefined
    : `${packageFolder} may import only types from ${specifier} (no zod in it).`;
}

function packageName(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
