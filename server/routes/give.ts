import { DEFAULT_FORM_PAGE } from '@connect-embed/contract';
import { createTranslator, preferredLanguageTag } from '@connect-embed/locales';
import { Hono, type Context } from 'hono';
import type { Deps, Env } from '../env.ts';
import { accentOf } from '../giving-page/accent.ts';
import { givingPageHeaders } from '../giving-page/headers.ts';
import type { PageState } from '../giving-page/giving-page.ts';
import { givingPage } from '../giving-page/page.ts';
import { readSelection } from '../giving-page/prefill.ts';
import { colorScheme } from './color-scheme.ts';
import {
  addressOf,
  findForm,
  findOwner,
  imageVersion,
  isAddressWrong,
  isClosed,
  type FormOwner,
  type FoundForm,
} from './give-form.ts';

/** How many other forms the page of a closed form names. */
const MAX_OTHER_FORMS = 5;

/** The giving pages: of a form of this server, and on a platform of a connected organization. */
export const GIVING_PAGE_PATHS = ['/give/:form', '/give/:organization/:form'];

/**
 * `GET /give/{form}`: the permanent page of a form, whose address donors see, share and bookmark. It
 * shows the same element as other sites, so a visit costs no API request: docs/decisions/0100-giving-pages.md
 */
export const giveRoutes = (deps: Deps) =>
  new Hono<Env>()
    .on('GET', GIVING_PAGE_PATHS, (c) => showPage(c, deps))
    // Relative links of the page would lead elsewhere. The target is relative for any path of a site.
    .on(
      'GET',
      GIVING_PAGE_PATHS.map((path) => `${path}/`),
      (c) => {
        const form = encodeURIComponent(c.req.param('form')!);
        return c.redirect(`../${form}${new URL(c.req.url).search}`, 301);
      },
    );

async function showPage(c: Context<Env>, deps: Deps) {
  const found = await findForm(c, deps);
  const state = await toState(c, deps, found);
  const { session, error, root } = found;
  const owner = await findOwner(deps, found);
  const nonce = crypto.randomUUID();
  const { humanCheck } = deps.config.guard;
  for (const [name, value] of Object.entries(givingPageHeaders(nonce, session?.form, humanCheck)))
    c.header(name, value);
  if (error?.retryAfterSeconds) c.header('Retry-After', String(error.retryAfterSeconds));
  const { title, description, is_indexable } = found.row?.page ?? DEFAULT_FORM_PAGE;
  const exists = session !== undefined || found.row !== undefined;
  const page = givingPage({
    state,
    organization: owner.profile,
    root,
    logo: owner.logo && root + logoPath(found),
    title,
    description,
    isIndexable: state.kind === 'live' && is_indexable,
    address: exists ? addressOf(deps, found) : undefined,
    imageUrl: exists ? await imageUrlOf(deps, found, owner) : undefined,
    ...translatorsOf(c),
    accent: accentOf(session?.form),
    colorScheme: colorScheme(c),
    nonce,
  });
  return c.html(page, STATUS[state.kind]);
}

/** The translators of the page and of the form, in the language of the visitor. */
function translatorsOf(c: Context) {
  const language = preferredLanguageTag(c.req.header('accept-language'));
  return {
    translator: createTranslator(language, 'hostedPage', 'donationPage', 'givingPage'),
    formTranslator: createTranslator(language, 'form'),
  };
}

/**
 * A closed form is 200: its owner can open it again, and a link that somebody has shared should show
 * what it was for. Search engines are told not to list it.
 */
const STATUS = {
  live: 200,
  closed: 200,
  notFound: 404,
  unavailable: 503,
} as const;

async function toState(c: Context, deps: Deps, found: FoundForm): Promise<PageState> {
  const { name, session, error, organization } = found;
  if (session) return { kind: 'live', name, selection: readSelection(c.req.query(), session.form) };
  if (error && isClosed(error)) {
    const forms = await deps.dashboardForms(organization);
    const listed = forms.filter(({ status, page }) => status === 'live' && page?.is_listed);
    return {
      kind: 'closed',
      hasCampaignEnded: error.code === 'campaign_ended',
      otherForms: listed
        .slice(0, MAX_OTHER_FORMS)
        .map((form) => ({ slug: form.slug, title: form.page.title })),
    };
  }
  return { kind: isAddressWrong(found) ? 'notFound' : 'unavailable' };
}

const logoPath = ({ organization }: FoundForm) =>
  organization === undefined
    ? 'organization-logo'
    : `organization-logo/${encodeURIComponent(organization)}`;

/** Returns the URL of the image. Another image has another URL, because social networks keep images. */
async function imageUrlOf(
  deps: Deps,
  found: FoundForm,
  { profile, logo }: FormOwner,
): Promise<string | undefined> {
  const address = addressOf(deps, found);
  if (!address || !deps.config.drawShareImage || !profile) return undefined;
  return `${address}/image.png?v=${await imageVersion(found, profile, logo)}`;
}
