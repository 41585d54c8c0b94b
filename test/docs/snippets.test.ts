import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { ELEMENTS, read } from './element-guides.ts';

/**
 * Every code block of a document is valid in its language, and uses only elements and attributes that
 * exist. What a block does is tested where the document belongs.
 */
const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = globSync(
  '{*.md,docs/**/*.md,{packages/*,server,demo,test}/*.md,packages/publish/readmes/*.md}',
  { cwd: ROOT },
);

interface Block {
  file: string;
  language: string;
  code: string;
}

const BLOCKS: readonly Block[] = DOCUMENTS.flatMap((file) =>
  [...read(file).matchAll(/^( *)```(\w+)[^\n]*\n([\s\S]*?)^\1```/gm)].map(
    ([, , language, code]) => ({ file, language: language!, code: code! }),
  ),
);

/** Returns a message for each block of the languages that is not valid. */
const problemsIn = (languages: readonly string[], check: (block: Block) => string[]) => {
  const blocks = BLOCKS.filter(({ language }) => languages.includes(language));
  assert.ok(blocks.length > 5);
  return blocks.flatMap((block) =>
    check(block).map((problem) => `${block.file}: ${problem}\n${block.code}`),
  );
};

/** Attributes of every HTML element. */
const GLOBAL = /^(?:id|class|style|slot|lang|dir|hidden|data-[\w-]+)$/;

function checkElements({ code }: Block): string[] {
  return [...code.matchAll(/<(connect-[\w-]+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*>/g)].flatMap(
    ([, tag, text]) => {
      const element = ELEMENTS.get(tag!);
      if (!element) return [`<${tag}> does not exist.`];
      const known = element.attributes?.map(({ name }) => name) ?? [];
      return [...text!.replace(/="[^"]*"/g, '').matchAll(/[\w-]+/g)]
        .map(([name]) => name)
        .filter((name) => !known.includes(name) && !GLOBAL.test(name))
        .map((name) => `<${tag}> has no attribute "${name}".`);
    },
  );
}

function checkSyntax({ language, code }: Block): string[] {
  const { diagnostics = [] } = ts.transpileModule(code, {
    fileName: `block.${language}`,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, allowJs: true },
  });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('every code block of the documents', () => {
  test('in JavaScript or TypeScript can be parsed', () => {
    assert.deepEqual(problemsIn(['js', 'ts', 'tsx'], checkSyntax), []);
  });

  test('in JSON can be parsed', () => {
    const check = ({ code }: Block) => {
      try {
        JSON.parse(code);
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    };
    assert.deepEqual(problemsIn(['json'], check), []);
  });

  test('in shell can be parsed', () => {
    const check = ({ code }: Block) => {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });
      return status === 0 ? [] : [stderr];
    };
    assert.deepEqual(problemsIn(['sh'], check), []);
  });

  test('in HTML uses elements and attributes that exist', () => {
    assert.deepEqual(problemsIn(['html'], checkElements), []);
  });
});
