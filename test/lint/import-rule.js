import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Test files of a package, which may also import development packages and what the column `tests` allows. */
const TEST_FILE = /\.test\.ts$|(^|\/)(testing|test-support)\//;

/** Configuration files of tools, which are not part of a package's code. */
const TOOL_FILE = /\.config\.m?js$/;

const SCOPE = '@connect-embed/';

/** Reads the names of the npm packages that a package declares: for all its files, and for its tests. */
function declaredPackages(root, folder) {
  const manifest = (path) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
  const { dependencies, peerDependencies, devDependencies } = manifest(folder);
  const code = { ...dependencies, ...peerDependencies };
  const tests = { ...code, ...devDependencies, ...manifest('.').devDependencies };
  return { code: new Set(Object.keys(code)), tests: new Set(Object.keys(tests)) };
}

/**
 * An ESLint rule that rejects imports that the table and the `package.json` of the file's package do not allow.
 *
 * @param {Record<string, object>} table rows of `import-table.js`
 * @param {string} root folder of the repository
 */
export const importRule = (table, root) => {
  const declared = Object.fromEntries(
    Object.keys(table).map((folder) => [folder, declaredPackages(root, folder)]),
  );
  return {
    meta: { type: 'problem', schema: [], messages: { forbidden: '{{problem}}' } },
    create(context) {
      const file = relative(root, context.filename).split(sep).join('/');
      const packageFolder = Object.keys(table).find((name) => file.startsWith(`${name}/`));
      if (!packageFolder || TOOL_FILE.test(file)) return {};
      const check = (node, source, typeOnly) => {
        if (typeof source?.value !== 'string') return;
        const message = problem({
          row: table[packageFolder],
          declared: declared[packageFolder],
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
  };
};

function isTypeOnly({ importKind, specifiers }) {
  if (importKind === 'type') return true;
  return specifiers.length > 0 && specifiers.every((item) => item.importKind === 'type');
}

function problem({ row, declared, root, packageFolder, file, specifier, typeOnly }) {
  if (specifier.startsWith('.')) {
    const target = relative(root, resolve(root, dirname(file), specifier));
    const inside = target.split(sep).join('/').startsWith(`${packageFolder}/`);
    return inside
      ? undefined
      : `${packageFolder} may not import files of another package by path: import it by name.`;
  }
  const inside = file.slice(packageFolder.length + 1);
  const isTest = TEST_FILE.test(inside);
  const name = packageName(specifier);
  if (specifier.startsWith('node:') || builtinModules.includes(name)) {
    return row.node || isTest
      ? undefined
      : `${packageFolder} may not import Node modules such as ${specifier}: it also runs outside Node.`;
  }
  if (isTest && row.tests?.includes(name)) return undefined;
  if (name.startsWith(SCOPE)) return workspaceProblem(row, packageFolder, specifier, typeOnly);
  if (row.only?.[name]) {
    return row.only[name].includes(inside)
      ? undefined
      : `Only ${row.only[name].join(', ')} of ${packageFolder} may import ${name}.`;
  }
  if (typeOnly && row.types?.includes(name)) return undefined;
  const allowed = isTest || row.development ? declared.tests : declared.code;
  return allowed.has(name)
    ? undefined
    : `${packageFolder} may not import ${name}: its package.json does not list it${isTest ? '' : ' as a dependency'}.`;
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
