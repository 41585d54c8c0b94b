import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Linter } from 'eslint';
import { elementTemplatesRule } from './element-templates.js';

const problemsOf = (code: string): string =>
  new Linter()
    .verify(code, {
      plugins: { workspace: { rules: { 'element-templates': elementTemplatesRule } } },
      rules: { 'workspace/element-templates': 'error' },
    })
    .map(({ message }) => message)
    .join();

describe('the lint rule for the templates of the elements', () => {
  for (const [template, problem] of [
    ['<p>', /<p> is not closed/],
    ['<p><b></p></b>', /<\/p> closes no element/],
    ['<label>Name <input name="name"></label>', /<input> must be closed/],
    ['<p class="note ${tone}"></p>', /one value/],
    ["<p class='note'></p>", /one value/],
    ['<p class=note></p>', /one value/],
    ['<p title="a > b"></p>', /one value/],
    ['<p ${attributes}></p>', /one value/],
    ['<!-- note --><p></p>', /one value/],
    ['<p>a &amp; b</p>', /instead of an entity/],
  ] as const) {
    test(`rejects ${template}`, () => assert.match(problemsOf(`html\`${template}\``), problem));
  }

  for (const template of [
    '',
    'text ${value}',
    '<p class="note" lang=${code} ?hidden=${isHidden}>${text} <b>bold</b></p>',
    '<input .value=${value} @input=${onInput} required />',
    '<svg viewBox="0 0 16 16"><path d="M4 7h8" /></svg>',
  ]) {
    test(`accepts ${template}`, () => assert.equal(problemsOf(`html\`${template}\``), ''));
  }

  test('concerns no other template', () => assert.equal(problemsOf('css`<p>`'), ''));
});
