import {
  ConnectError,
  DEFAULT_FORM_PAGE,
  Reference,
  statusOf,
  type EmbedForm,
  type Form,
} from '@connect-embed/contract';
import { createTranslator, preferredLanguageTag } from '@connect-embed/locales';
import { Hono, type Context } from 'hono';
import type { Deps, Env } from '../env.ts';
import type { OpenFormSession } from '../form-sessions.ts';
import { accentOf } from '../giving-page/accent.ts';
import { givingPageHeaders } from '../giving-page/headers.ts';
import type { PageState } from '../giving-page/giving-page.ts';
import { givingPage } from '../giving-page/page.ts';
import { readSelection } from '../giving-page/prefill.ts';
import { emptyDonation } from '../giving-page/typed-donation.ts';
import { ShareImages, shareImageVersion, type ShareTexts } from '../giving-page/share-image.ts';
import { parseFormName } from '../platform/form-name.ts';
import type { OrganizationProfile } from '../organization-profile.ts';
import { colorScheme } from '../color-scheme.ts';
import { requireOwnOrigin, startCheckout } from './give-checkout.ts';
import { etagMatches } from './scripts.ts';

/** How long social networks may use an image without asking for a newer one, in seconds. */
const IMAGE_MAX_AGE_SECONDS = 300;
/** How long browsers may show a logo without asking for a newer one, in seconds. */
const LOGO_MAX_AGE_SECONDS = 300;
/** The color of the elements: `packages/elements/src/shared/tokens.styles.ts`. */
const DEFAULT_ACCENT = '#0b6b5b';
/** How many other forms the page of a closed form names. */
const MAX_OTHER_FORMS = 5;

/**
 * `GET /give/{form}`: the permanent page of a form, whose address donors see, share and bookmark. It
 * shows the same element as other sites, so a visit costs no API request. Donors without JavaScript send
 * a form to the same address: docs/decisions/0100-giving-pages.md
 */
export const giveRoutes = (deps: Deps) => {
  const { drawShareImage } = deps.config;
  const images = drawShareImage && new ShareImages(drawShareImage);
  return (
    new Hono<Env>()
      .get('/give/:form', (c) => showPage(c, deps))
      // The form for donors without JavaScript. Its errors are shown on the same page.
      .post('/give/:form', requireOwnOrigin(deps), (c) => submitForm(c, deps))
      // Relative links of the page would lead elsewhere. The target is relative for any path of a site.
      .get('/give/:form/', (c) =>
        c.redirect(
          `../${encodeURIComponent(c.req.param('form'))}${new URL(c.req.url).search}`,
          301,
        ),
      )
      .get('/give/:form/image.png', (c) => sendImage(c, deps, images))
      .get('/organization-logo', (c) => sendLogo(c, deps))
  );
};

async function showPage(c: Context<Env>, deps: Deps) {
  const slug = c.req.param('form')!;
  const found = await findForm(deps, slug);
  return await respond(c, deps, found, await toState(c, deps, slug, found));
}

/** Redirects to the payment page, or shows the form again with its errors and all that was typed. */
async function submitForm(c: Context<Env>, deps: Deps) {
  const slug = c.req.param('form')!;
  const found = await findForm(deps, slug);
  const { session } = found;
  const state = await toState(c, deps, slug, found);
  const address = addressOf(deps, slug);
  const isAccepted = state.kind === 'live' && state.checkout !== undefined;
  if (!session || !isAccepted || !address) return await respond(c, deps, found, state);
  const submission = { slug, address, session, ...translatorsOf(c) };
  const result = await startCheckout(c, deps, submission);
  if ('url' in result) return c.redirect(result.url, 303);
  const { checkout, status, retryAfterSeconds } = result;
  if (retryAfterSeconds) c.header('Retry-After', String(retryAfterSeconds));
  const response = await respond(c, deps, found, { kind: 'rejected', checkout }, status);
  // It contains what the donor typed.
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

async function respond(
  c: Context<Env>,
  deps: Deps,
  found: FoundForm,
  state: PageState,
  status: ReturnType<typeof statusOf> | 200 = STATUS[state.kind],
) {
  const slug = c.req.param('form')!;
  const { session, error } = found;
  const organization = await findOrganization(deps, session);
  const hasLogo = (await deps.organizations.findLogo()) !== undefined;
  const nonce = crypto.randomUUID();
  const { humanCheck } = deps.config.guard;
  for (const [name, value] of Object.entries(givingPageHeaders(nonce, session?.form, humanCheck)))
    c.header(name, value);
  if (error?.retryAfterSeconds) c.header('Retry-After', String(error.retryAfterSeconds));
  const { title, description, is_indexable } = found.row?.page ?? DEFAULT_FORM_PAGE;
  const exists = session !== undefined || found.row !== undefined;
  const page = givingPage({
    state,
    organization,
    hasLogo,
    title,
    description,
    isIndexable: state.kind === 'live' && is_indexable,
    address: exists ? addressOf(deps, slug) : undefined,
    imageUrl: exists ? await imageUrlOf(deps, slug, found, organization, hasLogo) : undefined,
    ...translatorsOf(c),
    accent: accentOf(session?.form),
    colorScheme: colorScheme(c),
    nonce,
  });
  return c.html(page, status);
}

/** The translators of the page and of the form, in the language of the visitor. */
function translatorsOf(c: Context) {
  const language = preferredLanguageTag(c.req.header('accept-language'));
  return {
    translator: createTranslator(language, 'hostedPage', 'donationPage', 'givingPage'),
    formTranslator: createTranslator(language, 'form', 'donationFlow'),
  };
}

/**
 * A closed form is 200: its owner can open it again, and a link that somebody has shared should show
 * what it was for. Search engines are told not to list it.
 */
const STATUS = {
  live: 200,
  rejected: 400,
  thanks: 200,
  closed: 200,
  notFound: 404,
  unavailable: 503,
} as const;

/** What is known about the form that the address names. */
interface FoundForm {
  /** A form of the dashboard, live or closed. */
  row?: Form | undefined;
  session?: OpenFormSession | undefined;
  /** Why the form cannot be shown. */
  error?: ConnectError | undefined;
}

/** Finds a form with its session. A form of the configuration has no row. */
async function findForm({ sessions, dashboardForms }: Deps, slug: string): Promise<FoundForm> {
  // Forms of connected organizations have no giving pages yet.
  if (parseFormName(slug).organization !== undefined)
    return { error: new ConnectError('not_found', 'This address names no form of this server.') };
  try {
    const session = await sessions.get(slug);
    const isOfDashboard = session.form.form_version !== null;
    const rows = isOfDashboard ? await dashboardForms.get() : [];
    return { session, row: rows.find((form) => form.slug === slug) };
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (error.code !== 'form_closed') return { error };
    const rows = await dashboardForms.get();
    return { error, row: rows.find((form) => form.slug === slug) };
  }
}

/** The organization, at least with the name that the form has. */
async function findOrganization(
  { organizations }: Deps,
  session: OpenFormSession | undefined,
): Promise<OrganizationProfile | undefined> {
  const profile = await organizations.find();
  if (profile || !session) return profile;
  const { name } = session.form.organization;
  return { name, website: null, contact_email: null, logo_url: null };
}

async function toState(
  c: Context,
  { config, dashboardForms }: Deps,
  slug: string,
  { session, error }: FoundForm,
): Promise<PageState> {
  if (session) return stateOf(c, slug, session.form, config.publicUrl !== undefined);
  if (error?.code === 'form_closed') {
    const forms = await dashboardForms.get();
    const listed = forms.filter(({ status, page }) => status === 'live' && page?.is_listed);
    return {
      kind: 'closed',
      otherForms: listed
        .slice(0, MAX_OTHER_FORMS)
        .map((form) => ({ slug: form.slug, title: form.page.title })),
    };
  }
  return { kind: isAddressWrong(error) ? 'notFound' : 'unavailable' };
}

/** Returns the state of a form's page: the form, or what a donor sees after a payment. */
function stateOf(c: Context, slug: string, form: EmbedForm, hasAddress: boolean): PageState {
  const reference = Reference.safeParse(c.req.query('thanks'));
  if (reference.success) {
    const note = form.presentation?.messages['thanksNote'];
    return { kind: 'thanks', slug, reference: reference.data, receipts: form.receipts, note };
  }
  const selection = readSelection(c.req.query(), form);
  const isPossible = hasAddress && form.terms.frequencies.includes('one_time');
  const typed = emptyDonation(form, selection, translatorsOf(c).translator.locale);
  return {
    kind: 'live',
    slug,
    selection,
    checkout: isPossible ? { form, typed, problems: {} } : undefined,
  };
}

/** Whether the form or its organization does not exist, in contrast to a failure of this server. */
const isAddressWrong = (error: ConnectError | undefined) =>
  error !== undefined && [403, 404].includes(statusOf(error));

const addressOf = ({ config }: Deps, slug: string) =>
  config.publicUrl && `${config.publicUrl}/give/${encodeURIComponent(slug)}`;

/** Returns the URL of the image. Another image has another URL, because social networks keep images. */
async function imageUrlOf(
  deps: Deps,
  slug: string,
  found: FoundForm,
  organization: OrganizationProfile | undefined,
  hasLogo: boolean,
): Promise<string | undefined> {
  const address = addressOf(deps, slug);
  if (!address || !deps.config.drawShareImage || !organization) return undefined;
  const version = await versionOf(found, organization, hasLogo);
  return `${address}/image.png?v=${version}`;
}

/** Returns the version of an image. Another one is drawn once a logo can be loaded again. */
const versionOf = (found: FoundForm, organization: OrganizationProfile, hasLogo: boolean) =>
  shareImageVersion(shareTexts(found, organization), hasLogo ? organization.logo_url : null);

const shareTexts = ({ row, session }: FoundForm, { name }: OrganizationProfile): ShareTexts => ({
  organization: name,
  title: row?.page?.title ?? null,
  accent: accentOf(session?.form) ?? DEFAULT_ACCENT,
});

/** @throws {ConnectError} `not_found` if there is no such form, or this server draws no images */
async function sendImage(c: Context<Env>, deps: Deps, images: ShareImages | undefined) {
  const slug = c.req.param('form')!;
  const found = await findForm(deps, slug);
  if (found.error && !found.row) throw found.error;
  const organization = await findOrganization(deps, found.session);
  if (!images || !organization) throw new ConnectError('not_found', 'This page has no image.');
  const logo = await deps.organizations.findLogo();
  const image = { ...shareTexts(found, organization), logo };
  const version = await versionOf(found, organization, logo !== undefined);
  const tag = `"${version}"`;
  c.header('ETag', tag);
  c.header('Cache-Control', `public, max-age=${IMAGE_MAX_AGE_SECONDS}`);
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  if (etagMatches(c.req.header('if-none-match'), tag)) return c.body(null, 304);
  return c.body(await images.get(slug, version, image), 200, { 'Content-Type': 'image/png' });
}

/** @throws {ConnectError} `not_found` if the organization has no logo */
async function sendLogo(c: Context<Env>, { organizations }: Deps) {
  const logo = await organizations.findLogo();
  if (!logo) throw new ConnectError('not_found', 'The organization has no logo.');
  c.header('Cache-Control', `public, max-age=${LOGO_MAX_AGE_SECONDS}`);
  return c.body(logo.content, 200, { 'Content-Type': logo.type });
}
