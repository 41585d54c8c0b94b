import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';
import type { DefaultTheme, UserConfig } from 'vitepress';
import { readFigures, type Figures } from './figures.ts';
import { fillSections } from './navigation.ts';
import { readPages } from './pages.ts';
import { CODE_STYLE_FILE, completeHead } from './head.ts';

/** Settings of the theme: those of VitePress, and the figures of the front page. */
export interface ThemeConfig extends DefaultTheme.Config {
  figures: Figures;
}

/** Collects the colors of code blocks as classes, because the policy allows no `style` attributes. */
const codeColors = transformerStyleToClass({ classPrefix: 'code-' });

/**
 * A result has all words. The manual for organizations ranks first, because its readers search most, and decision
 * records last, because they say why something is as it is.
 */
const searchOptions = {
  combineWith: 'AND' as const,
  // VitePress copies the text of this function into the site, so it can use nothing around it.
  boostDocument: (id: string) =>
    id.includes('/organizations/') ? 3 : id.includes('/decisions/') ? 0.1 : 1,
};

const pages = readPages();

/**
 * The configuration of VitePress. Nothing that the site loads leaves its origin. The base is relative,
 * so that the same files work below any path.
 */
const config: UserConfig<ThemeConfig> = {
  title: 'Connect Embed',
  description: 'Accept donations on any web page with one script and one tag.',
  base: './',
  lang: 'en',
  // The demo on the reader's computer, which no build can check.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    codeTransformers: [codeColors],
    // The usual themes have too little contrast on the background of code blocks.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  transformHtml: (html, _id, { page }) => completeHead(html, page),
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, CODE_STYLE_FILE), codeColors.getCSS()),
  vite: { logLevel: 'warn' },
  themeConfig: {
    figures: readFigures(),
    siteTitle: 'Connect Embed',
    logo: { src: '/favicon.svg', alt: '' },
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { searchOptions } } },
    nav: [
      { text: 'Start', link: '/adopting' },
      { text: 'Playground', link: '/playground' },
      // Not a page of VitePress, so the browser loads it.
      { text: 'API reference', link: '/reference/index.html', target: '_self' },
    ],
    sidebar: fillSections(pages).map(({ title, isCollapsed, pages: items }) => ({
      text: title,
      ...(isCollapsed && { collapsed: true }),
      items: items.map(({ path, title: text }) => ({ text, link: `/${path}` })),
    })),
    footer: { message: 'MIT licensed. This site loads nothing from other servers.' },
  },
};

export default config;
