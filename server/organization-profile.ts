import type { Organization } from '@connect-embed/contract';
import { ByOrganization } from './by-organization.ts';
import type { ResolvedConfig } from './connect-config.ts';
import type { Logo } from './giving-page/share-image.ts';
import { loadLogo } from './load-logo.ts';
import { MissingResources } from './missing-resources.ts';
import { PolledResource } from './polled-resource.ts';
import type { Upstream } from './upstream.ts';

/** How long a logo that cannot be loaded is not requested again. */
const RETRY_LOGO_AFTER_MS = 60_000;

/** What giving pages show of the organization. */
export interface OrganizationProfile {
  name: string;
  website: string | null;
  contact_email: string | null;
  logo_url: string | null;
}

/** The profiles and logos of organizations, which all their giving pages share. */
export class OrganizationProfiles {
  readonly #profiles: ByOrganization<CachedProfile>;

  constructor(config: ResolvedConfig, upstream: Upstream) {
    this.#profiles = new ByOrganization(
      config,
      (organization) => new CachedProfile(config, upstream, organization),
    );
  }

  /**
   * Returns an organization; undefined without a credential for it, and if the API has never sent it.
   *
   * @param id a connected organization; undefined for that of the credential
   */
  async find(id?: string): Promise<OrganizationProfile | undefined> {
    return await this.#profiles.read(id, (profile) => profile.get()).catch(() => undefined);
  }

  /** Returns the logo, loaded once; undefined if there is none or it cannot be loaded. */
  async findLogo(id?: string): Promise<Logo | undefined> {
    return await this.#profiles.read(id, (profile) => profile.getLogo()).catch(() => undefined);
  }
}

/** An organization and its logo: docs/decisions/0100-giving-pages.md */
class CachedProfile {
  readonly #config: ResolvedConfig;
  readonly #upstream: Upstream;
  readonly #organization: string | undefined;
  readonly #missing: MissingResources;
  readonly #profile: PolledResource<OrganizationProfile | undefined>;
  #logo: { url: string; content: Promise<Logo | undefined>; retryAtMs: number } | undefined;

  /** @param organization on a platform: the connected organization */
  constructor(config: ResolvedConfig, upstream: Upstream, organization?: string) {
    this.#config = config;
    this.#upstream = upstream;
    this.#organization = organization;
    this.#missing = new MissingResources(config.log);
    this.#profile = new PolledResource((etag) => this.#fetch(etag), config.now);
  }

  /** @throws {ConnectError} the API's error if the organization was never fetched */
  async get(): Promise<OrganizationProfile | undefined> {
    return await this.#profile.get();
  }

  /** @throws {ConnectError} as `get` */
  async getLogo(): Promise<Logo | undefined> {
    const url = (await this.get())?.logo_url;
    if (!url) return undefined;
    const now = this.#config.now ?? Date.now;
    if (this.#logo?.url !== url || this.#logo.retryAtMs <= now()) {
      const logo = { url, content: loadLogo(this.#config, url), retryAtMs: Infinity };
      this.#logo = logo;
      void logo.content.then((content) => {
        if (!content) logo.retryAtMs = now() + RETRY_LOGO_AFTER_MS;
      });
    }
    return await this.#logo.content;
  }

  async #fetch(etag: string | undefined) {
    try {
      const changed = await this.#upstream.call(
        (api) => api.getOrganizationIfChanged(etag),
        this.#organization,
      );
      return changed && { value: toProfile(changed.organization), etag: changed.etag };
    } catch (error) {
      if (!this.#missing.has(error, 'organization')) throw error;
      return { value: undefined, etag: undefined };
    }
  }
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
