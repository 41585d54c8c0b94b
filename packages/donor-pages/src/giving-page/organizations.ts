import type { Organization } from '@connect-embed/contract';
import {
  cachedByKey,
  cachedByOrganization,
  missingResourceCheck,
  type PageDeps,
} from '@connect-embed/server/pages';
import { loadImage, type ApiImage } from './load-image.ts';

/** How long an image that cannot be loaded is not requested again. */
const RETRY_IMAGE_AFTER_MS = 60_000;
/** How many images are kept in memory, of up to 2 MiB each. */
const MAX_IMAGES = 200;

/** What giving pages show of the organization. */
export type OrganizationProfile = Pick<
  Organization,
  'name' | 'legal_name' | 'tax_id' | 'website' | 'contact_email' | 'logo_url'
>;

/** The profiles and images of organizations, which all their giving pages share. */
export interface Organizations {
  /**
   * Returns an organization; undefined without a credential for it, and if the API has never sent it.
   *
   * @param id a connected organization; undefined for that of the credential
   */
  find(id?: string): Promise<OrganizationProfile | undefined>;
  /** Returns the logo, loaded once; undefined if there is none or it cannot be loaded. */
  findLogo(id?: string): Promise<ApiImage | undefined>;
  /** Returns the picture of a page, loaded once; undefined if it cannot be loaded. */
  findPicture(url: string): Promise<ApiImage | undefined>;
}

/** Caches profiles and images: docs/decisions/0100-giving-pages.md */
export function cachedOrganizations({ config, upstream }: PageDeps): Organizations {
  const isMissing = missingResourceCheck(config.log);

  async function fetchProfile(organization: string | undefined, etag: string | undefined) {
    try {
      const changed = await upstream.call(
        (api) => api.getOrganizationIfChanged(etag),
        organization,
      );
      return changed && { value: toProfile(changed.organization), etag: changed.etag };
    } catch (error) {
      if (!isMissing(error, 'organization')) throw error;
      return { value: undefined };
    }
  }

  const profileOf = cachedByOrganization(config, fetchProfile);
  const find = (id?: string) => profileOf(id).catch(() => undefined);
  const images = cachedByKey(async (url: string) => ({ value: await loadImage(config, url) }), {
    now: config.now,
    maxKeys: MAX_IMAGES,
    lifetime: (image, fetchedAt) => ({
      staleAt: image ? Infinity : fetchedAt + RETRY_IMAGE_AFTER_MS,
    }),
  });
  return {
    find,
    async findLogo(id) {
      const url = (await find(id))?.logo_url;
      return url ? await images.get(url) : undefined;
    },
    findPicture: (url) => images.get(url),
  };
}

const toProfile = ({ website, logo_url, ...profile }: Organization): OrganizationProfile => ({
  ...profile,
  website: isWebUrl(website) ? website : null,
  logo_url: isWebUrl(logo_url) ? logo_url : null,
});

/** Whether a text can be the target of a link; `javascript:` for example cannot. */
const isWebUrl = (text: string | null | undefined): text is string =>
  /^https?:$/.test(URL.parse(text ?? '')?.protocol ?? '');
