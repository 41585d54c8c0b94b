import { ConnectError, statusOf, type Form } from '@connect-embed/contract';
import type { Context } from 'hono';
import { parseFormName, type PageDeps, type OpenEmbedSession } from '@connect-embed/server/pages';
import type { ApiImage } from './load-image.ts';
import type { OrganizationProfile, Organizations } from './organizations.ts';
import { shareImageVersion, type ShareTexts } from './share-image.ts';

/** The color of the elements: `packages/elements/src/shared/tokens.styles.ts`. */
const DEFAULT_ACCENT = '#0b6b5b';

/** What giving pages use: the parts of their server, and the organizations that they name. */
export interface Deps extends PageDeps {
  organizations: Organizations;
}

/** What is known about the form that an address names. */
export interface FoundForm {
  /** Name of the form; on a platform it contains the organization. */
  name: string;
  /** The last segment of the page's address, to which its links are relative. */
  slug: string;
  /** Relative path from the page to the root of the server. */
  root: string;
  /** On a platform: the connected organization of the form. */
  organization: string | undefined;
  /** A form of the dashboard, live or closed. */
  row?: Form | undefined;
  session?: OpenEmbedSession | undefined;
  /** Why the form cannot be shown. */
  error?: ConnectError | undefined;
}

export interface FormOwner {
  profile: OrganizationProfile | undefined;
  logo: ApiImage | undefined;
}

/** Finds the form that a request names, with its session. A form of the configuration has no row. */
export async function findForm(c: Context, deps: Deps): Promise<FoundForm> {
  const { config, sessions, dashboardForms } = deps;
  const address = readAddress(c);
  const { name } = address;
  const organization = config.platform && sessions.organizationOf(name);
  const findRow = async () => {
    const { slug } = parseFormName(name);
    return (await dashboardForms(organization)).find((form) => form.slug === slug);
  };
  const form = { ...address, organization };
  try {
    const session = await sessions.get(name);
    const isOfDashboard = session.form.form_version !== null;
    return { ...form, session, row: isOfDashboard ? await findRow() : undefined };
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    return { ...form, error, row: isClosed(error) ? await findRow() : undefined };
  }
}

/** Reads the address of a page: `/give/{slug}`, and on a platform `/give/{organization}/{slug}`. */
function readAddress(c: Context): Pick<FoundForm, 'name' | 'slug' | 'root'> {
  const slug = c.req.param('form')!;
  const segments = [c.req.param('organization'), slug].filter((part) => part !== undefined);
  // An encoded slash separates no segments: links of the page would lead elsewhere.
  const name = segments.map((segment) => segment.replaceAll('/', '%2F')).join('/');
  return { name, slug, root: '../'.repeat(segments.length) };
}

/** Whether a form exists, but accepts no donations. */
export const isClosed = ({ code }: ConnectError): boolean =>
  code === 'form_closed' || code === 'campaign_ended';

/**
 * Whether there is no such form, in contrast to a failure of this server. An organization that is not
 * connected has no forms here.
 */
export const isAddressWrong = ({ error }: FoundForm): boolean =>
  error !== undefined && [403, 404].includes(statusOf(error));

const UNKNOWN_PROFILE: Omit<OrganizationProfile, 'name'> = {
  legal_name: null,
  tax_id: null,
  website: null,
  contact_email: null,
  logo_url: null,
};

/** Finds the organization of a form, at least with the name that the form has. */
export async function findOwner(
  { organizations }: Deps,
  { organization, session, error }: FoundForm,
): Promise<FormOwner> {
  // Finding the form has already shown that there is nothing to find.
  if (error?.code === 'organization_not_connected') return { profile: undefined, logo: undefined };
  const profile = await organizations.find(organization);
  if (profile) return { profile, logo: await organizations.findLogo(organization) };
  const name = session?.form.organization.name;
  return {
    profile: name ? { ...UNKNOWN_PROFILE, name } : undefined,
    logo: undefined,
  };
}

/** Returns the permanent address of a form's page; undefined if the server does not know its own. */
export const addressOf = ({ config }: Deps, { name }: FoundForm): string | undefined =>
  config.publicUrl &&
  `${config.publicUrl}/give/${name.split('/').map(encodeURIComponent).join('/')}`;

/** What the image of a form shows beside the logo. */
export const shareTexts = (
  { row, session }: FoundForm,
  { name }: OrganizationProfile,
): ShareTexts => ({
  organization: name,
  title: row?.page?.title ?? null,
  accent: session?.form.presentation?.accent_color ?? DEFAULT_ACCENT,
});

/** Returns the version of an image. Another one is drawn once a logo can be loaded again. */
export const imageVersion = (
  found: FoundForm,
  profile: OrganizationProfile,
  logo: ApiImage | undefined,
) => shareImageVersion(shareTexts(found, profile), logo ? profile.logo_url : null);
