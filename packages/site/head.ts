import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Matches the scripts that VitePress writes into each page, such as the one that sets dark mode. */
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([^]+?)<\/script>/g;

/** Matches the two `style` attributes that VitePress writes into each page; the theme's style sheet replaces them. */
const STYLE_ATTRIBUTE = / style="(?:position:relative;|--vp-vh:0px;)?"/g;

/** The style element with which the switch of the color scheme prevents transitions (VueUse). */
const NO_TRANSITIONS =
  '*,*::before,*::after{-webkit-transition:none!important;-moz-transition:none!important;-o-transition:none!important;-ms-transition:none!important;transition:none!important}';

const hashOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

/** The file with the colors of the code blocks, which is written after all pages. */
export const CODE_STYLE_FILE = 'assets/code.css';

/** The icon is part of the page: an address would change its meaning when VitePress opens another page. */
const ICON = `data:image/svg+xml;base64,${readFileSync(new URL('public/favicon.svg', import.meta.url)).toString('base64')}`;

/** The policy of a page: scripts and styles of its own origin only, and its inline scripts by hash. */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(INLINE_SCRIPT)].map(([, code]) => hashOf(code!));
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    `style-src 'self' ${hashOf(NO_TRANSITIONS)}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * Adds to a page's head its content security policy, the icon, the colors of code blocks, and links
 * to its Markdown and to `llms.txt`.
 *
 * @param page path of the page's Markdown, such as `api/index.md`
 */
export function completeHead(html: string, page: string): string {
  const root = '../'.repeat(page.split('/').length - 1) || './';
  const tags = [
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">`,
    `<link rel="icon" href="${ICON}" type="image/svg+xml">`,
    `<link rel="stylesheet" href="${root}${CODE_STYLE_FILE}">`,
    `<link rel="alternate" type="text/markdown" href="${root}${page}">`,
    `<link rel="alternate" type="text/plain" href="${root}llms.txt" title="llms.txt">`,
  ];
  return html.replace(STYLE_ATTRIBUTE, '').replace('<head>', `<head>${tags.join('')}`);
}
