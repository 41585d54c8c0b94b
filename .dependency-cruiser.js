import { IMPORT_RULES } from './test/lint/import-rules.js';
import { MODULE_LAYERS } from './test/lint/module-layers.ts';

/** Not part of a package's code: tests, configuration files of tools, and what is built. */
const NOT_CODE = String.raw`\.test\.ts$|/test-support/|\.config\.m?js$|^(?!.*node_modules/).*/dist/`;

const escape = (text) => text.replaceAll('.', String.raw`\.`);
const anyOf = (folder, modules) => `^${folder}/(?:${modules.map(escape).join('|')})(?:/|$)`;

/** One rule for each module: it imports none of those above it. */
const layerRules = Object.entries(MODULE_LAYERS).flatMap(([folder, layers]) => {
  const modules = Object.keys(layers);
  return modules.slice(0, -1).map((module, index) => ({
    name: `${folder}/${module}`,
    comment: `${module} is in a lower layer: see test/lint/module-layers.ts.`,
    from: { path: anyOf(folder, [module]) },
    to: { path: anyOf(folder, modules.slice(index + 1)) },
  }));
});

/** Imports between packages, layers of modules, and circles of folders: docs/decisions/0121-packages-of-pages.md */
export default {
  forbidden: [
    ...IMPORT_RULES,
    ...layerRules,
    {
      name: 'the framework of pages',
      comment: 'The framework is below the pages: it imports none of them.',
      from: { path: '^packages/dashboard/src/pages/' },
      to: { path: '^packages/dashboard/src/(?!pages/)' },
    },
    {
      name: 'circles of folders',
      comment: 'Folders that import each other can only be understood together.',
      scope: 'folder',
      from: { path: '^(?:packages/(?:dashboard|donor-pages)/src|server/)' },
      to: { circular: true },
    },
  ].map((rule) => ({ severity: 'error', ...rule })),
  options: {
    exclude: { path: NOT_CODE },
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Types count: a circle of types also means that no file can be understood first.
    tsPreCompilationDeps: true,
    // `test` also uses the development packages of the workspace.
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
