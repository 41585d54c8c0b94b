import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'svelte/compiler';
import { build, createLogger, type Plugin } from 'vite';
import { compileScript, parse } from 'vue/compiler-sfc';
import type { InstalledSite } from './installed-site.ts';

/** The folder with the code of `docs/adopting.md`, and in its subfolders that of `docs/recipes.md`. */
export const EXAMPLES = join(import.meta.dirname, '../examples');

/** The entry point of the application that mounts an example, unless the example mounts itself. */
function entryPointOf(file: string): string | undefined {
  if (file.endsWith('.vue')) {
    return `
      import { createApp } from 'vue';
      import Example from './examples/${file}';
      createApp(Example).mount('main');`;
  }
  if (file.endsWith('.svelte')) {
    return `
      import { mount } from 'svelte';
      import Example from './examples/${file}';
      mount(Example, { target: document.querySelector('main') });`;
  }
  if (!file.endsWith('angular.ts')) return undefined;
  const selector = /selector: '([\w-]+)'/.exec(readFileSync(join(EXAMPLES, file), 'utf8'))![1];
  return `
    import '@angular/compiler';
    import { provideZonelessChangeDetection } from '@angular/core';
    import { bootstrapApplication } from '@angular/platform-browser';
    import * as example from './examples/${file}';
    document.querySelector('main').append(document.createElement('${selector}'));
    const [Component] = Object.values(example);
    bootstrapApplication(Component, { providers: [provideZonelessChangeDetection()] });`;
}

const frameworks: Plugin = {
  name: 'frameworks',
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith('.svelte')) {
      return compile(code, { filename: id, generate: 'client', css: 'injected' }).js.code;
    }
    if (!id.endsWith('.vue')) return null;
    const { descriptor } = parse(code);
    const { content } = compileScript(descriptor, {
      id,
      inlineTemplate: true,
      templateOptions: {
        compilerOptions: { isCustomElement: (tag) => tag.startsWith('connect-') },
      },
    });
    const css = descriptor.styles.map((style) => style.content).join('\n');
    const addStyle = `document.head.append(Object.assign(document.createElement('style'), { textContent: ${JSON.stringify(css)} }));`;
    return { code: css ? `${content}\n${addStyle}` : content, moduleType: 'ts' };
  },
};

/**
 * Bundles an example as its application would, into one module.
 *
 * @param file path below `packages/publish/examples`
 */
export async function buildExample(site: InstalledSite, file: string): Promise<string> {
  cpSync(EXAMPLES, join(site.folder, 'examples'), { recursive: true });
  const start = entryPointOf(file);
  if (!start) return bundle(site, `examples/${file}`);
  writeFileSync(join(site.folder, 'start.js'), start);
  return bundle(site, 'start.js');
}

/**
 * Bundles an application in the site's folder into one module.
 *
 * @throws {Error} if the bundler warns of a directive such as `'use client'`
 */
export async function bundle(site: InstalledSite, entry: string): Promise<string> {
  writeFileSync(
    join(site.folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { jsx: 'react-jsx', experimentalDecorators: true } }),
  );
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const built = await build({
    configFile: false,
    root: site.folder,
    customLogger: { ...createLogger('warn'), warn },
    plugins: [frameworks],
    define: { 'process.env.NODE_ENV': '"production"', ngDevMode: 'false' },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(site.folder, entry), formats: ['es'], fileName: 'app' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const directive = warnings.find((message) => message.includes('MODULE_LEVEL_DIRECTIVE'));
  if (directive) throw new Error(directive);
  const [result] = [built].flat();
  if (!result || !('output' in result)) throw new Error(`${entry} produced no file.`);
  return result.output[0].code;
}
