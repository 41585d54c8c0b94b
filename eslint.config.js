import globals from 'globals';
import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import { configs as wc } from 'eslint-plugin-wc';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { importRule } from './test/lint/import-rule.js';
import { IMPORT_TABLE } from './test/lint/import-table.js';

/** Only `config.ts` reads the environment; tests and tools set up environments, so they may. */
const ENVIRONMENT = {
  files: ['**/*.ts'],
  ignores: [
    '**/config.ts',
    'test/**',
    '**/*.test.ts',
    '**/{testing,test-support}/**',
    '*.config.ts',
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

const TYPESCRIPT = {
  files: ['**/*.ts'],
  languageOptions: {
    parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
  },
  rules: {
    '@typescript-eslint/consistent-type-imports': 'error',
    '@typescript-eslint/no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
    ],
    // Options are plain objects here, and their functions know no `this`.
    '@typescript-eslint/unbound-method': 'off',
    // Handlers and test callbacks are async for their caller's sake.
    '@typescript-eslint/require-await': 'off',
    // node:test collects the promises of test() and describe() by itself.
    '@typescript-eslint/no-floating-promises': [
      'error',
      {
        allowForKnownSafeCalls: [
          { from: 'package', package: 'node:test', name: ['test', 'describe', 'it', 'suite'] },
        ],
      },
    ],
    '@typescript-eslint/restrict-template-expressions': [
      'error',
      { allowNumber: true, allowBoolean: true },
    ],
    // An unhandled event handler's promise is caught where it is made.
    '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
  },
};

const ELEMENTS = {
  files: ['packages/elements/**/*.ts'],
  extends: [wc['flat/best-practice'], lit.configs['flat/recommended'], litA11y.configs.recommended],
  languageOptions: { globals: globals.browser },
  rules: {
    // define.ts registers, and a class file registers nothing: STYLE of this house.
    'wc/file-name-matches-element': 'off',
    'wc/define-tag-after-class-definition': 'off',
    'wc/require-listener-teardown': 'error',
    // Written out on purpose: CSS that lays a table out anew takes its parts' own roles away.
    'lit-a11y/no-redundant-role': 'off',
  },
};

export default defineConfig(
  { ignores: ['**/dist/', '**/node_modules/', '.data/', 'coverage/', '**/test-results/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  tseslint.configs.recommendedTypeChecked,
  TYPESCRIPT,
  ELEMENTS,
  ENVIRONMENT,
  {
    plugins: {
      house: { rules: { 'import-table': importRule(IMPORT_TABLE, import.meta.dirname) } },
    },
    rules: {
      'house/import-table': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs', '*.config.ts', '**/*.config.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'off',
    },
  },
);
