import { readFileSync } from 'node:fs';
import { FormSlug, notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html, raw } from 'hono/html';
import { Marked } from 'marked';
import type { Env } from '@connect-embed/api/http/env';
import type { Html } from '@connect-embed/api/lib/html';
import { page } from '@connect-embed/api/http/page-shell';

/** Documents of a folder that the dashboard shows to everybody, such as docs/site-builders. */
export interface Guides<Name extends string> {
  /** URL path below which the pages are. */
  path: string;
  /** Folder of the Markdown files, with their pictures in `images`. */
  folder: URL;
  /** Titles of the pages by file name without `.md`, in the order in which they are listed. */
  titles: Record<Name, string>;
  /** Heading of the list. */
  listTitle: string;
  /** Title of a page in the browser's tab. */
  pageTitle: (title: string) => string;
  /** Fills in what depends on the installation and on the form that the reader came from. */
  fillIn?: (markdown: string, form: string | undefined) => string;
}

const IMAGE_TYPES = { png: 'image/png', svg: 'image/svg+xml' } as const;
const IMAGE_NAME = /^[\w-]+\.(png|svg)$/;
/** How long browsers keep pictures and files of guides. */
export const GUIDE_MAX_AGE_SECONDS = 3600;

/**
 * `GET {path}/{name}?form=`: a document as a page. Public, so that people without an account can read it.
 * The path itself leads to the first document.
 */
export const guidePages = <Name extends string>(guides: Guides<Name>) =>
  new Hono<Env>()
    .get(guides.path, (c) => c.redirect(`${guides.path}/${Object.keys(guides.titles)[0]}`, 303))
    .get(`${guides.path}/images/:image`, (c) => sendImage(c, guides, c.req.param('image')))
    .get(`${guides.path}/:name`, (c) => {
      const name = c.req.param('name');
      if (!hasGuide(guides, name)) throw notFound('guide', name);
      const { data: form } = FormSlug.safeParse(c.req.query('form'));
      return c.html(guidePage(guides, name, form));
    });

const hasGuide = <Name extends string>(guides: Guides<Name>, name: string): name is Name =>
  Object.hasOwn(guides.titles, name);

/**
 * Renders links to all guides.
 *
 * @param form slug of the form whose code they show; without one they show an example
 * @param current the guide that the page shows
 */
export const guideLinks = <Name extends string>(
  { path, titles }: Guides<Name>,
  form?: string,
  current?: Name,
): Html =>
  html`<ul class="plain guides">
    ${Object.entries<string>(titles).map(
      ([name, title]) =>
        html`<li>
          <a
            href="${path}/${name}${form ? `?form=${form}` : ''}"
            ${name === current ? html`aria-current="page"` : ''}
            >${title}</a
          >
        </li>`,
    )}
  </ul>`;

function guidePage<Name extends string>(
  guides: Guides<Name>,
  name: Name,
  form: string | undefined,
): Html {
  const { path, folder, titles, listTitle, pageTitle, fillIn } = guides;
  const text = readFileSync(new URL(`${name}.md`, folder), 'utf8');
  const markdown = new Marked({
    async: false,
    walkTokens: (token) => {
      if (token.type === 'image') token.href = `${path}/${token.href}`;
      if (token.type === 'link') token.href = token.href.replace(/^([\w-]+)\.md$/, '$1');
    },
  });
  return page(
    pageTitle(titles[name]),
    html`<header class="bar">
        <p class="brand"><span class="mark" aria-hidden="true"></span>Connect</p>
        <a class="small" href="/dashboard">Dashboard</a>
      </header>
      <div class="shell single-column guide-page">
        <main class="guide">${raw(markdown.parse(fillIn?.(text, form) ?? text) as string)}</main>
        <nav class="panel" aria-labelledby="guides">
          <h2 id="guides">${listTitle}</h2>
          ${guideLinks(guides, form, name)}
        </nav>
      </div>`,
  );
}

function sendImage(c: Context, { folder }: Guides<string>, image: string): Response {
  const [, type] = IMAGE_NAME.exec(image) ?? [];
  const file = type && readIfExists(new URL(`images/${image}`, folder));
  if (!file) throw notFound('image', image);
  return c.body(file, 200, {
    'Content-Type': IMAGE_TYPES[type as keyof typeof IMAGE_TYPES],
    'Cache-Control': `public, max-age=${GUIDE_MAX_AGE_SECONDS}`,
  });
}

function readIfExists(file: URL): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
