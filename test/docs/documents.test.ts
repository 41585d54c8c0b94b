import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const SERVICE_FOLDERS = [
  'packages/contract',
  'packages/elements',
  'packages/react',
  'packages/api',
  'packages/dashboard',
  'packages/donor-pages',
  'packages/sandbox',
  'packages/locales',
  'server',
  'demo',
  'test',
  'packages/publish',
  'packages/workshop',
  'packages/site',
  'integrations/wordpress',
];

/** Code blocks of one language in a document. */
const blocks = (file: string, language: string) =>
  [...read(file).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text]) => text!,
  );

/** The anchors of a document's headings, as GitHub makes them. A repeated one gets a number. */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>();
  const prose = read(file).replace(/^```[\s\S]*?^```/gm, '');
  for (const [, heading] of prose.matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = text.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

const documents = globSync(
  '{*.md,docs/**/*.md,{packages/*,server,demo,test,integrations/*}/*.md}',
  { cwd: root },
);

describe('links', () => {
  for (const file of documents) {
    test(`${file} has no broken links`, () => {
      const targets = [...read(file).matchAll(/(?:\]\(|src="|srcset=")([^)"#\s]+)/g)];
      const missing = targets
        .map(([, target]) => target!)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(join(root, dirname(file), target)));
      assert.deepEqual(missing, []);
    });

    test(`${file} has no links to headings that do not exist`, () => {
      const links = [...read(file).matchAll(/\]\(([^):#\s]*(?:\.md|))#([^)\s]+)\)/g)];
      const missing = links
        .filter(([, target, anchor]) => {
          const path = target ? join(dirname(file), target) : file;
          return !anchorsOf(path).has(anchor!);
        })
        .map(([link]) => link);
      assert.deepEqual(missing, []);
    });

    test(`${file} has no link whose text is a file name`, () => {
      assert.doesNotMatch(read(file), /\[[^\]]*\.md\]\((?!\w+:)/);
    });
  }
});

describe('snippets', () => {
  test('README’s snippet equals that of the nonprofit’s page, which the e2e tests use', () => {
    const [snippet] = blocks('README.md', 'html');
    const page = read('demo/pages/nonprofit/index.html');
    // The page has fallback content in the tag, for browsers without scripts, and reserves the
    // height in its style sheet. An e2e test of layout shift uses README's own style.
    const [, script, tag] = /^(<script.*)\n<style>[^]*<\/style>\n(<.*>)<\/connect-donate>$/m.exec(
      snippet!.trim(),
    )!;
    for (const line of [script!, tag!]) assert.ok(page.includes(line), line);
    const style = read('demo/pages/nonprofit/site.css');
    assert.match(style, /^connect-donate:not\(:defined\) \{[^}]*min-block-size/m);
  });

  test('every npm script that a document names exists', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const file of documents) {
      const named = [...read(file).matchAll(/npm run (?:--silent )?([\w:-]+)(?![\w:-]* -w)/g)];
      for (const [, name] of named) assert.ok(scripts[name!], `${file}: npm run ${name}`);
    }
  });
});

describe('packages', () => {
  for (const service of SERVICE_FOLDERS) {
    test(`${service} has a README of at most 30 lines besides generated tables`, () => {
      assert.ok(existsSync(join(root, service, 'README.md')), 'a README.md is there');
      const written = read(join(service, 'README.md')).replace(
        /<!-- (\w+): [\s\S]*<!-- \/\1 -->/,
        '',
      );
      const lines = written.trimEnd().split('\n');
      assert.ok(lines.length <= 30, `${lines.length} lines`);
    });
  }
});

describe('decisions', () => {
  for (const file of globSync('docs/decisions/[0-9]*.md', { cwd: root })) {
    test(`${file} has all sections`, () => {
      const text = read(file);
      assert.match(text, /^# /);
      for (const part of [
        /^(#+ )?\**Status/im,
        /^#+ Context/m,
        /^#+ Decision/m,
        /^#+ Consequences/m,
      ]) {
        assert.match(text, part);
      }
    });
  }

  test('the list names every record by its title', () => {
    const list = read('docs/decisions/README.md').replaceAll('\n  ', ' ');
    for (const file of globSync('docs/decisions/[0-9]*.md', { cwd: root })) {
      const [, number, title] = /^# (\d{4}) (.+)$/m.exec(read(file))!;
      assert.ok(list.includes(`- [${number}](${basename(file)}): ${title}\n`), file);
    }
  });

  test('every referenced decision exists, and no number is used twice', () => {
    const files = globSync('{packages,server,demo,test,docs}/**/*.{ts,md,js}', {
      cwd: root,
      exclude: (name) => /node_modules|dist/.test(name),
    });
    const missing = files.flatMap((file) =>
      [...read(file).matchAll(/docs\/decisions\/(\d{4}-[\w-]+\.md)/g)]
        .filter(([, name]) => !existsSync(join(root, 'docs/decisions', name!)))
        .map(([, name]) => `${file}: ${name}`),
    );
    assert.deepEqual(missing, []);
    const numbers = globSync('[0-9]*.md', { cwd: join(root, 'docs/decisions') }).map((name) =>
      name.slice(0, 4),
    );
    assert.equal(new Set(numbers).size, numbers.length);
  });
});
