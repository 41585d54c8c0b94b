import { HEART_ICON } from '@connect-embed/contract/icon';
import { initialOf } from '@connect-embed/contract/initial';
import type { Translator } from '@connect-embed/locales';
import { html } from 'hono/html';
import { COLOR_SCHEMES, type Theme } from './theme.ts';

export type Html = ReturnType<typeof html>;

/** What every page of donors has around its content. */
interface Shell {
  translator: Pick<Translator, 'locale' | 'direction'>;
  title: string;
  theme: Theme;
  /** One column, two from a certain width, or the content alone in a frame of another site. */
  layout: 'narrow' | 'wide' | 'framed';
  robots?: 'noindex' | 'index, follow';
  icon?: string;
  /** The style sheet (`style.ts`) as an element or a link, scripts, and other elements of the head. */
  head: Html;
}

/** Renders a page of donors. */
export const shell = (
  { translator, title, theme, layout, robots = 'noindex', icon = HEART_ICON, head }: Shell,
  body: Html,
): Html =>
  html`<!doctype html>
    <html lang="${translator.locale}" dir="${translator.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${COLOR_SCHEMES[theme]}" />
        <meta name="robots" content="${robots}" />
        <title>${title}</title>
        <link rel="icon" href="${icon}" />
        ${head}
      </head>
      <body class="${layout}">
        ${body}
      </body>
    </html>`;

/** Renders the mark of an organization: its logo or the first letter of its name, and the name. */
export const brand = (
  name: string,
  { logo, label }: { logo?: string | undefined; label?: Html } = {},
): Html =>
  html`${
    logo
      ? html`<img class="logo" src="${logo}" alt="" />`
      : html`<span class="initial" aria-hidden="true">${initialOf(name)}</span>`
  }${label ?? html`<span class="name" dir="auto">${name}</span>`}`;

/** Renders the content of a page without a form: what happened, and how the donor can continue. */
export const messageContent = (title: string, text: string): Html =>
  html`<header></header>
    <main aria-label="${title}">
      <div class="note">
        <h1>${title}</h1>
        <p class="muted">${text}</p>
      </div>
    </main>`;
