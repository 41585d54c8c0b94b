import globals from 'globals';
import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import { configs as wc } from 'eslint-plugin-wc';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { tenantTablesRule } from './test/lint/tenant-tables.js';

/**
 * Only `config.ts` reads the environment. Tests and tools may do so too, because they set up
 * environments.
 */
const ENVIRONMENT = {
  files: ['**/*.ts'],
  ignores: [
    '**/config.ts',
    'test/**',
    '**/*.test.ts',
    '**/{testing,test-support}/**',
    'packages/publish/built/**',
    '*.config.ts',
    'packages/workshop/*.ts',
  ],
  rules: {
    'no-restricted-syntax': [
      'error',
      {
        selector: 'MemberExpression[object.name="process"][property.name="env"]',
        message: 'Only config.ts reads the environment, through one schema.',
      },
    ],
  },
};

/** Rules that need type information are in `.oxlintrc.json`: docs/decisions/0016-tests-and-ci.md */
const TYPESCRIPT = {
  files: ['**/*.ts'],
  rules: {
    '@typescript-eslint/consistent-type-imports': 'error',
    '@typescript-eslint/no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
    ],
  },
};

const ELEMENTS = {
  files: ['packages/elements/**/*.ts'],
  extends: [wc['flat/best-practice'], lit.configs['flat/recommended'], litA11y.configs.recommended],
  languageOptions: { globals: globals.browser },
  rules: {
    // Class files register no element: `define.ts` does.
    'wc/file-name-matches-element': 'off',
    'wc/define-tag-after-class-definition': 'off',
    'wc/require-listener-teardown': 'error',
    // Some roles are explicit on purpose: a CSS `display` on table parts removes their implicit
    // roles.
    'lit-a11y/no-redundant-role': 'off',
  },
};

const ELEMENT_TESTS = {
  files: ['packages/elements/**/*.test.ts', 'packages/elements/src/test-support/**'],
  ignores: ['packages/elements/src/test-support/wait-until.ts'],
  rules: {
    '@typescript-eslint/no-unused-expressions': 'off', // `expect(x).to.be.true`
    'no-restricted-imports': [
      'error',
      {
        name: '@open-wc/testing',
        importNames: ['waitUntil'],
        message:
          'It times out after a second. Use the one in test-support/wait-until.ts, which waits longer.',
      },
    ],
  },
};

export default defineConfig(
  // Examples are user code, which is checked with its own tools.
  { ignores: ['packages/publish/examples/'] },
  { ignores: ['**/dist/', '**/node_modules/', '.data*/', 'coverage/', '**/test-results/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  tseslint.configs.recommended,
  TYPESCRIPT,
  ELEMENTS,
  ELEMENT_TESTS,
  ENVIRONMENT,
  {
    plugins: {
      workspace: { rules: { 'tenant-tables': tenantTablesRule } },
    },
    rules: {
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['packages/{api,dashboard,donor-pages}/src/**/*.ts'],
    // Demo data and migrations concern all organizations; tests look at everything.
    ignores: ['packages/api/src/db/**', '**/*.test.ts'],
    rules: { 'workspace/tenant-tables': 'error' },
  },
  {
    files: ['packages/elements/src/**/*.ts'],
    // Tests render their pages with the `html` of `@open-wc/testing`.
    ignores: ['**/*.test.ts', '**/test-support/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          property: 'entries',
          allowObjects: ['Object'],
          message: 'Prototype.js replaces `entries` of arrays. Use `forEach`.',
        },
      ],
    },
  },
  // Tables of test cases can be long, and the types of all tables are one generated file.
  { files: ['**/*.test.ts', 'packages/api/src/db/tables.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs', '*.config.ts', '**/*.config.ts'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
);
