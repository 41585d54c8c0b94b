import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium, type Browser } from 'playwright';
import { elementCode, FRAMEWORKS, type ElementUse } from '../../site/theme/element-code.ts';
import { ELEMENTS } from '../../site/theme/element-list.ts';
import { launchOptions } from '../../../test/support/launch-options.ts';
import { bundle } from './examples.ts';
import { InstalledSite } from './installed-site.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TSC = join(ROOT, 'node_modules/typescript7/bin/tsc');

const site = new InstalledSite(['react', 'react-dom', '@types/react', 'svelte', 'vue']);
let browser: Browser;
before(async () => (browser = await chromium.launch(launchOptions())));
after(async () => {
  await browser.close();
  site.remove();
});

const use = (tag: string, values: ElementUse['values'], styles = {}): ElementUse => ({
  ...ELEMENTS.find((element) => element.tag === tag)!,
  ...{ values, styles, server: 'https://giving.example.org' },
});

/** Settings with each kind of value: text, number, choice, boolean, a custom property, a child. */
const USES: readonly ElementUse[] = [
  use('connect-donate', { form: 'the "big" {gala} & more', amount: '75', display: 'button' }),
  use(
    'connect-goal',
    { campaign: 'camp_winter', theme: 'dark' },
    { '--connect-border-radius': '3px' },
  ),
  use('connect-donations', { limit: '7', live: '', tools: 'search totals', paging: 'pages' }),
  use('connect-provider', { 'time-zone': 'Europe/Berlin', locale: 'de' }),
];

/** The application that mounts the code, with a viewer token, by the code's language. */
const APPLICATIONS: Readonly<Record<string, string>> = {
  tsx: `
    import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import { Example } from './Example.tsx';
    createRoot(document.querySelector('main')).render(createElement(Example, { viewerToken: 'viewer' }));`,
  vue: `
    import { createApp } from 'vue';
    import Example from './Example.vue';
    createApp(Example, { viewerToken: 'viewer' }).mount('main');`,
  svelte: `
    import { mount } from 'svelte';
    import Example from './Example.svelte';
    mount(Example, { target: document.querySelector('main'), props: { viewerToken: 'viewer' } });`,
};

function build(language: string, code: string): Promise<string> {
  writeFileSync(join(site.folder, `Example.${language}`), code);
  writeFileSync(join(site.folder, 'start.js'), APPLICATIONS[language]!);
  return bundle(site, 'start.js');
}

/** What the page contains: the attributes or properties that the code has set. */
async function elementIn(html: string, script: string, { tag }: ElementUse) {
  const page = await browser.newPage();
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.route('**/*', (route) => {
    const { pathname, host } = new URL(route.request().url());
    if (host !== 'owner.example') return route.abort();
    if (pathname === '/app.js')
      return route.fulfill({ contentType: 'text/javascript', body: script });
    return route.fulfill({ contentType: 'text/html', body: html });
  });
  await page.goto('https://owner.example/');
  const element = page.locator(tag);
  await element.waitFor({ state: 'attached' });
  const found = await element.evaluate(
    (node, names) => {
      const properties = node as unknown as Record<string, unknown>;
      return {
        values: Object.fromEntries(
          names.map(([name, property]) => [
            name!,
            node.getAttribute(name!) ?? properties[property!],
          ]),
        ),
        style: getComputedStyle(node).getPropertyValue('--connect-border-radius'),
        viewer: node.getAttribute('viewer-token') ?? properties['viewerToken'],
      };
    },
    ELEMENTS.find((one) => one.tag === tag)!.attributes.map((one) => [one.name, one.property]),
  );
  await page.close();
  assert.deepEqual(errors, []);
  return found;
}

describe('the code of the playground', () => {
  for (const one of USES) {
    for (const [framework, language] of Object.entries(FRAMEWORKS)) {
      const name = framework as keyof typeof FRAMEWORKS;
      test(`sets up <${one.tag}> in ${framework}`, async () => {
        const code = elementCode(name, one);
        const html = '<!doctype html><main></main><script type="module" src="/app.js"></script>';
        const { values, style, viewer } =
          name === 'HTML'
            ? await elementIn(code, '', one)
            : await elementIn(html, await build(language, code), one);
        for (const [attribute, value] of Object.entries(one.values)) {
          const isSet = value === '' ? ['', true] : [value, Number(value)];
          assert.ok(
            isSet.includes(values[attribute] as string),
            `${attribute}: ${values[attribute]}`,
          );
        }
        assert.equal(style.trim(), one.styles['--connect-border-radius'] ?? '');
        if (/donations|provider/.test(one.tag) && name !== 'HTML') assert.equal(viewer, 'viewer');
      });
    }
  }

  test('has the right types in React', () => {
    const files = USES.map(
      (one, index) => [`types-${index}.tsx`, elementCode('React', one)] as const,
    );
    for (const [file, code] of files) writeFileSync(join(site.folder, file), code);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', types: [] },
      ...{ moduleResolution: 'bundler', jsx: 'react-jsx', skipLibCheck: true },
      lib: ['es2022', 'dom', 'dom.iterable'],
    };
    const config = { compilerOptions, files: files.map(([file]) => file) };
    writeFileSync(join(site.folder, 'tsconfig.json'), JSON.stringify(config));
    try {
      execFileSync(process.execPath, [TSC, '-p', site.folder], { encoding: 'utf8' });
    } catch (error) {
      assert.fail((error as { stdout: string }).stdout);
    }
  });
});
