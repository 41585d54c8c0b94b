import { readFileSync } from 'node:fs';
import { FormSlug, notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html, raw } from 'hono/html';
import { Marked } from 'marked';
import type { Env } from '@connect-embed/api/http/env';
import type { Html } from '@connect-embed/api/lib/html';
import type { Deps } from '../pages/deps.ts';
import { page } from '@connect-embed/api/http/page-shell';
import { loadPluginArchive } from './wordpress-plugin.ts';

/** The guides in docs/site-builders, in the order in which pages list them. */
const GUIDES = {
  wordpress: 'WordPress',
  squarespace: 'Squarespace',
  wix: 'Wix',
  webflow: 'Webflow',
  shopify: 'Shopify',
  ghost: 'Ghost',
  html: 'Your own HTML',
} as const;
type GuideName = keyof typeof GUIDES;

const PATH = '/help/site-builders';
const FOLDER = new URL('../../../../docs/site-builders/', import.meta.url);
const IMAGE_TYPES = { png: 'image/png', svg: 'image/svg+xml' } as const;
const IMAGE_NAME = /^[\w-]+\.(png|svg)$/;
const MAX_AGE_SECONDS = 3600;

/** The WordPress plugin as a zip file. */
const PLUGIN_FILE = 'connect-embed.zip';
export const PLUGIN_PATH = `${PATH}/${PLUGIN_FILE}`;
/** What the guide links to instead, because in the repository the plugin is a folder. */
const PLUGIN_README = '../../integrations/wordpress/README.md';

/** Server and form of the examples in the guides. */
const EXAMPLE_SERVER = 'https://giving.example.org';
const EXAMPLE_FORM = 'meals';

const markdown = new Marked({
  async: false,
  renderer: {
    image: ({ href, text }) => String(html`<img src="${PATH}/${href}" alt="${text}" />`),
  },
});

/**
 * Renders links to the guides for site builders, with the form whose code they show.
 *
 * @param form slug of a form; without one the guides show an example
 * @param current the guide that the page shows
 */
export const siteBuilderLinks = (form?: string, current?: GuideName): Html =>
  html`<ul class="plain guides">
    ${Object.entries(GUIDES).map(
      ([name, title]) =>
        html`<li>
          <a
            href="${PATH}/${name}${form ? `?form=${form}` : ''}"
            ${name === current ? html`aria-current="page"` : ''}
            >${title}</a
          >
        </li>`,
    )}
  </ul>`;

/**
 * `GET /help/site-builders/{name}?form=`: how to show a form with a site builder, with the code of the form
 * filled in. Public, so that a designer without an account can read it: the code is no secret.
 */
export const siteBuilderGuides = ({ serverBaseUrl }: Pick<Deps, 'serverBaseUrl'>) =>
  new Hono<Env>()
    .get(PATH, (c) => c.redirect(`${PATH}/wordpress`, 303))
    .get(`${PATH}/images/:image`, (c) => sendImage(c, c.req.param('image')))
    .get(PLUGIN_PATH, sendPlugin)
    .get(`${PATH}/:name`, (c) => {
      const name = c.req.param('name');
      if (!isGuide(name)) throw notFound('guide', name);
      const { data: form } = FormSlug.safeParse(c.req.query('form'));
      return c.html(guidePage(name, form, serverBaseUrl));
    });

const isGuide = (name: string): name is GuideName => Object.hasOwn(GUIDES, name);

function guidePage(name: GuideName, form: string | undefined, server: string | undefined): Html {
  const text = readGuide(name, form, server);
  return page(
    `${GUIDES[name]}: show the donation form`,
    html`<header class="bar">
        <p class="brand"><span class="mark" aria-hidden="true"></span>Connect</p>
        <a class="small" href="/dashboard">Dashboard</a>
      </header>
      <div class="shell single-column guide-page">
        <main class="guide">${raw(markdown.parse(text) as string)}</main>
        <nav class="panel" aria-labelledby="guides">
          <h2 id="guides">All guides</h2>
          ${siteBuilderLinks(form, name)}
        </nav>
      </div>`,
  );
}

/**
 * Reads a guide. The address of the server and the form of its examples are replaced by the real ones, and
 * the link to the plugin by one to its zip file.
 */
function readGuide(name: GuideName, form = EXAMPLE_FORM, server = EXAMPLE_SERVER): string {
  return readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')
    .replaceAll(`form="${EXAMPLE_FORM}"`, `form="${form}"`)
    .replaceAll(new RegExp(`/(embed|give)/${EXAMPLE_FORM}`, 'g'), `/$1/${form}`)
    .replaceAll(EXAMPLE_SERVER, server)
    .replaceAll(PLUGIN_README, PLUGIN_PATH);
}

function sendImage(c: Context, image: string): Response {
  const [, type] = IMAGE_NAME.exec(image) ?? [];
  const file = type && readIfExists(new URL(`images/${image}`, FOLDER));
  if (!file) throw notFound('image', image);
  return c.body(file, 200, {
    'Content-Type': IMAGE_TYPES[type as keyof typeof IMAGE_TYPES],
    'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
  });
}

async function sendPlugin(c: Context): Promise<Response> {
  return c.body(await loadPluginArchive(), 200, {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${PLUGIN_FILE}"`,
    'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
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
