import { DEFAULT_FORM_PAGE } from '@connect-embed/contract';
import { createTranslator, preferredLanguageTag } from '@connect-embed/locales';
import { Hono, type Context } from 'hono';
import type { Env } from '@connect-embed/server/pages';
import { themeOf } from '../page/theme.ts';
import {
  addressOf,
  findForm,
  findOwner,
  imageVersion,
  isAddressWrong,
  isClosed,
  type Deps,
  type FormOwner,
  type FoundForm,
} from './find-form.ts';
import { givingPageHeaders } from './headers.ts';
import type { PageState } from './giving-page.ts';
import { givingPage } from './page.ts';
import { readSelection } from './prefill.ts';

/** How many other forms the page of a closed form names. */
const MAX_OTHER_FORMS = 5;

/** The paths of a form of this server, and on a platform of a connected organization. */
const PATHS = ['/give/:form', '/give/:organization/:form'];

/**
 * `GET /give/{form}`: the permanent page of a form, whose address donors see, share and bookmark. It
 * shows the same element as other sites, so a visit costs no API request: docs/decisions/0100-giving-pages.md
 */
export function giveRoutes(deps: Deps, options: { hasShareImages: boolean }) {
  return (
    new Hono<Env>()
      .on('GET', PATHS, (c) => showPage(c, deps, options))
      // Relative links of the page would lead elsewhere. The target is relative for any path of a site.
      .on(
        'GET',
        PATHS.map((path) => `${path}/`),
        (c) => {
          const form = encodeURIComponent(c.req.param('form')!);
          return c.redirect(`../${form}${new URL(c.req.url).search}`, 301);
        },
      )
  );
}

async function showPage(
  c: Context<Env>,
  deps: Deps,
  { hasShareImages }: { hasShareImages: boolean },
) {
  const found = await findForm(c, deps);
  const state = await toState(c, deps, found);
  const { session, error, root } = found;
  const owner = await findOwner(deps, found);
  const nonce = crypto.randomUUID();
  const { humanCheck } = deps.config.guard;
  for (const [name, value] of Object.entries(givingPageHeaders(nonce, session?.form, humanCheck)))
    c.header(name, value);
  if (error?.retryAfterSeconds) c.header('Retry-After', String(error.retryAfterSeconds));
  // An older API does not send every field.
  const settings = { ...DEFAULT_FORM_PAGE, ...found.row?.page };
  const { title, description, story, picture } = settings;
  const exists = session !== undefined || found.row !== undefined;
  const page = givingPage({
    state,
    organization: owner.profile,
    root,
    logo: owner.logo && root + logoPath(found),
    title,
    description,
    story,
    picture: picture && { ...picture, url: picturePath(found, picture) },
    isIndexable: state.kind === 'live' && settings.is_indexable,
    address: exists ? addressOf(deps, found) : undefined,
    imageUrl: exists && hasShareImages ? imageUrlOf(deps, found, owner) : undefined,
    ...translatorsOf(c),
    accent: session?.form.presentation?.accent_color ?? null,
    theme: themeOf(c),
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
  if (session) {
    const { campaign_id, show_goal } = session.form.terms;
    const campaign = show_goal ? (campaign_id ?? undefined) : undefined;
    return {
      kind: 'live',
      name,
      selection: readSelection(c.req.query(), session.form),
      goal: campaign && (organization ? `${organization}/${campaign}` : campaign),
    };
  }
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

/** Returns the relative path of a picture. Another picture has another one, so that browsers can keep it. */
const picturePath = ({ slug }: FoundForm, { url }: { url: string }) =>
  `${encodeURIComponent(slug)}/picture.webp?v=${encodeURIComponent(url.split('/').at(-1)!)}`;

const logoPath = ({ organization }: FoundForm) =>
  organization === undefined
    ? 'organization-logo'
    : `organization-logo/${encodeURIComponent(organization)}`;

/** Returns the URL of the image. Another image has another URL, because social networks keep images. */
function imageUrlOf(
  deps: Deps,
  found: FoundForm,
  { profile, logo }: FormOwner,
): string | undefined {
  const address = addressOf(deps, found);
  if (!address || !profile) return undefined;
  return `${address}/image.png?v=${imageVersion(found, profile, logo)}`;
}
