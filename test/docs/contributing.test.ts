import { test } from 'node:test';
import { importTableMarkdown } from '../lint/import-table-markdown.ts';
import { moduleLayersMarkdown } from '../lint/module-layers-markdown.ts';
import { expectPart } from './generated-part.ts';

test('CONTRIBUTING.md has the import table of the lint rule', () =>
  expectPart('CONTRIBUTING.md', 'import table', importTableMarkdown()));

test('README.md of the API has the modules of the lint rule', () =>
  expectPart('packages/api/README.md', 'modules', moduleLayersMarkdown('packages/api/src')));
