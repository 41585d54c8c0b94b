import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'svelte/compiler';
import { build, type Plugin } from 'vite';
import { compileScript, parse } from 'vue/compiler-sfc';
import type { InstalledSite } from './installed-site.ts';

/** Entry point of the application that mounts an example, by framework. */
const ENTRY_POINTS: Readonly<Record<string, string>> = {
  'Give.vue': `
    import { createApp } from 'vue';
    import Give from './Give.vue';
    createApp(Give).mount('main');`,
  'Donations.vue': `
    import { createApp } from 'vue';
    import Donations from './Donations.vue';
    createApp(Donations).mount('main');`,
  'Give.svelte': `
    import { mount } from 'svelte';
    import Give from './Give.svelte';
    mount(Give, { target: document.querySelector('main') });`,
  'angular.ts': `
    import '@angular/compiler';
    import { provideZonelessChangeDetection } from '@angular/core';
    import { bootstrapApplication } from '@angular/platform-browser';
    import { Give } from './angular.ts';
    const place = document.createElement('app-give');
    document.querySelector('main').append(place);
    bootstrapApplication(Give, { providers: [provideZonelessChangeDetection()] });`,
};

const frameworks: Plugin = {
  name: 'frameworks',
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith('.svelte')) {
      return compile(code, { filename: id, generate: 'client' }).js.code;
    }
    if (!id.endsWith('.vue')) return null;
    const { content } = compileScript(parse(code).descriptor, {
      id,
      inlineTemplate: true,
      templateOptions: {
        compilerOptions: { isCustomElement: (tag) => tag.startsWith('connect-') },
      },
    });
    return { code: content, moduleType: 'ts' };
  },
};

/** Bundles an example of docs/adopting.md as its application would, into one module. */
export async function buildExample(site: InstalledSite, file: string): Promise<string> {
  copyFileSync(join(import.meta.dirname, '../examples', file), join(site.folder, file));
  const start = ENTRY_POINTS[file];
  const entry = join(site.folder, start ? `start-${file}.js` : file);
  if (start) writeFileSync(entry, start);
  writeFileSync(
    join(site.folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { jsx: 'react-jsx', experimentalDecorators: true } }),
  );
  const built = await build({
    configFile: false,
    root: site.folder,
    logLevel: 'error',
    plugins: [frameworks],
    define: { 'process.env.NODE_ENV': '"production"', ngDevMode: 'false' },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['es'], fileName: 'app' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [result] = [built].flat();
  if (!result || !('output' in result)) throw new Error(`${file} produced no file.`);
  return result.output[0].code;
}
