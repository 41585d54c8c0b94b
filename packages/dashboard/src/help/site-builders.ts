import { Hono, type Context } from 'hono';
import type { Env } from '@connect-embed/api/http/env';
import type { Html } from '@connect-embed/api/lib/html';
import type { Deps } from '../pages/deps.ts';
import { GUIDE_MAX_AGE_SECONDS, guideLinks, guidePages, type Guides } from './guides.ts';
import { loadPluginArchive } from './wordpress-plugin.ts';

/** The guides in docs/site-builders: how to show a form with a site builder. */
const SITE_BUILDERS = {
  path: '/help/site-builders',
  folder: new URL('../../../../docs/site-builders/', import.meta.url),
  titles: {
    wordpress: 'WordPress',
    squarespace: 'Squarespace',
    wix: 'Wix',
    webflow: 'Webflow',
    shopify: 'Shopify',
    ghost: 'Ghost',
    html: 'Your own HTML',
  },
  listTitle: 'All guides',
  pageTitle: (title) => `${title}: show the donation form`,
} satisfies Guides<string>;

/** The WordPress plugin as a zip file. */
const PLUGIN_FILE = 'connect-embed.zip';
export const PLUGIN_PATH = `${SITE_BUILDERS.path}/${PLUGIN_FILE}`;
/** What the guide links to instead, because in the repository the plugin is a folder. */
const PLUGIN_README = '../../integrations/wordpress/README.md';

/** Server and form of the examples in the guides. */
const EXAMPLE_SERVER = 'https://giving.example.org';
const EXAMPLE_FORM = 'meals';

/** Renders links to the guides, with the form whose code they show; without one they show an example. */
export const siteBuilderLinks = (form?: string): Html => guideLinks(SITE_BUILDERS, form);

/** `GET /help/site-builders/{name}?form=`: the guides with the real code of the form, and the plugin. */
export const siteBuilderGuides = ({ serverBaseUrl }: Pick<Deps, 'serverBaseUrl'>) =>
  new Hono<Env>().get(PLUGIN_PATH, sendPlugin).route(
    '/',
    guidePages({
      ...SITE_BUILDERS,
      fillIn: (markdown, form) => fillIn(markdown, form, serverBaseUrl),
    }),
  );

/** Replaces server and form of the examples by the real ones, and the link to the plugin by one to its zip file. */
const fillIn = (markdown: string, form = EXAMPLE_FORM, server = EXAMPLE_SERVER): string =>
  markdown
    .replaceAll(`form="${EXAMPLE_FORM}"`, `form="${form}"`)
    .replaceAll(new RegExp(`/(embed|give)/${EXAMPLE_FORM}`, 'g'), `/$1/${form}`)
    .replaceAll(EXAMPLE_SERVER, server)
    .replaceAll(PLUGIN_README, PLUGIN_PATH);

async function sendPlugin(c: Context): Promise<Response> {
  return c.body(await loadPluginArchive(), 200, {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${PLUGIN_FILE}"`,
    'Cache-Control': `public, max-age=${GUIDE_MAX_AGE_SECONDS}`,
  });
}
