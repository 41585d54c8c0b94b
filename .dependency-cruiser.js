import { MODULE_LAYERS } from './test/lint/module-layers.js';

const TEST_FILE = String.raw`\.test\.ts$|/test-support/`;

const escape = (text) => text.replaceAll('.', String.raw`\.`);
const anyOf = (folder, modules) => `^${folder}/(?:${modules.map(escape).join('|')})(?:/|$)`;

/** One rule for each module: it imports none of those above it. */
const layerRules = Object.entries(MODULE_LAYERS).flatMap(([folder, layers]) => {
  const modules = Object.keys(layers);
  return modules.slice(0, -1).map((module, index) => ({
    name: `${folder}/${module}`,
    comment: `${module} is in a lower layer: see test/lint/module-layers.js.`,
    severity: 'error',
    from: { path: anyOf(folder, [module]) },
    to: { path: anyOf(folder, modules.slice(index + 1)) },
  }));
});

/** Layers and circles of folders; tests may import any module: docs/decisions/0121-packages-of-pages.md */
export default {
  forbidden: [
    ...layerRules,
    {
      name: 'the framework of pages',
      comment: 'The framework is below the pages: it imports none of them.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/pages/' },
      to: { path: '^packages/dashboard/src/(?!pages/)' },
    },
    {
      name: 'circles of folders',
      comment: 'Folders that import each other can only be understood together.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(?:packages/(?:dashboard|donor-pages)/src|server/)' },
      to: { circular: true },
    },
  ],
  options: {
    exclude: { path: TEST_FILE },
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Types count: a circle of types also means that no file can be understood first.
    tsPreCompilationDeps: true,
  },
};
