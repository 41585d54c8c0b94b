import type { Organization } from '@connect-embed/contract';
import {
  cachedByKey,
  cachedByOrganization,
  MissingResources,
  type PageDeps,
} from '@connect-embed/server/pages';
import { loadImage, type ApiImage } from './load-image.ts';

/** How long a logo that cannot be loaded is not requested again. */
const RETRY_LOGO_AFTER_MS = 60_000;
/** How many logos are kept in memory, of up to 1 MiB each. */
const MAX_LOGOS = 200;

/** What giving pages show of the organization. */
export interface OrganizationProfile {
  name: string;
  website: string | null;
  contact_email: string | null;
  logo_url: string | null;
}

/** The profiles and logos of organizations, which all their giving pages share. */
export interface Organizations {
  /**
   * Returns an organization; undefined without a credential for it, and if the API has never sent it.
   *
   * @param id a connected organization; undefined for that of the credential
   */
  find(id?: string): Promise<OrganizationProfile | undefined>;
  /** Returns the logo, loaded once; undefined if there is none or it cannot be loaded. */
  findLogo(id?: string): Promise<ApiImage | undefined>;
}

/** Caches profiles and logos: docs/decisions/0100-giving-pages.md */
export function cachedOrganizations({ config, upstream }: PageDeps): Organizations {
  const missing = new MissingResources(config.log);

  async function fetchProfile(organization: string | undefined, etag: string | undefined) {
    try {
      const changed = await upstream.call(
        (api) => api.getOrganizationIfChanged(etag),
        organization,
      );
      return changed && { value: toProfile(changed.organization), etag: changed.etag };
    } catch (error) {
      if (!missing.has(error, 'organization')) throw error;
      return { value: undefined };
    }
  }

  const profileOf = cachedByOrganization(config, fetchProfile);
  const find = (id?: string) => profileOf(id).catch(() => undefined);
  const logos = cachedByKey(async (url: string) => ({ value: await loadImage(config, url) }), {
    now: config.now ?? Date.now,
    maxKeys: MAX_LOGOS,
    lifetime: (logo, fetchedAt) => ({ staleAt: logo ? Infinity : fetchedAt + RETRY_LOGO_AFTER_MS }),
  });
  return {
    find,
    async findLogo(id) {
      const url = (await find(id))?.logo_url;
      return url ? await logos.get(url) : undefined;
    },
  };
}

function toProfile({ name, website, contact_email, logo_url }: Organization): OrganizationProfile {
  return {
    name,
    website: isWebUrl(website) ? website : null,
    contact_email,
    logo_url: isWebUrl(logo_url) ? logo_url : null,
  };
}

/** Whether a text can be the target of a link; `javascript:` for example cannot. */
const isWebUrl = (text: string | null | undefined): text is string =>
  /^https?:$/.test(URL.parse(text ?? '')?.protocol ?? '');
