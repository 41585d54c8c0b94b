import { SiteOrigin } from '@connect-embed/contract';
import { originMatcher } from '@connect-embed/contract/site-origin';
import type { HonoRequest } from 'hono';
import type { ResolvedConfig } from '../connect-config.ts';
import { dashboardList, type DashboardList } from '../cache/dashboard-list.ts';
import type { Upstream } from '../upstream.ts';

/**
 * The origins of pages that may embed: those of the configuration, and the allowed sites of the
 * dashboard (docs/decisions/0098-allowed-sites.md).
 */
export class AllowedOrigins {
  readonly #config: ResolvedConfig;
  /** The server's own origin, on which giving pages are. It is not for frames. */
  readonly #givingPages: readonly string[];
  readonly #isConfigured: (origin: string) => boolean;
  readonly #dashboardSites: DashboardList<'allowed-sites'>;

  constructor(config: ResolvedConfig, upstream: Upstream) {
    this.#config = config;
    this.#givingPages = config.publicUrl === undefined ? [] : [new URL(config.publicUrl).origin];
    this.#isConfigured = originMatcher([...this.#givingPages, ...config.origins]);
    this.#dashboardSites = dashboardList('allowed-sites', config, upstream);
  }

  /**
   * Returns whether an origin may embed. An origin of the configuration needs no request to the API.
   *
   * @param organization on a platform: the connected organization of the form, whose allowed sites count
   *   too
   * @throws {ConnectError} the API's error if the dashboard's list was never fetched
   */
  async includes(origin: string, organization?: string): Promise<boolean> {
    if (this.#isConfigured(origin)) return true;
    // Another origin cannot be on the list of the dashboard.
    if (!SiteOrigin.safeParse(origin).success) return false;
    return originMatcher(await this.#dashboardOrigins(organization))(origin);
  }

  /**
   * Returns whether browsers may send requests of an origin, which are then checked themselves. The
   * question of a browser (preflight) names no form, so on a platform it is not known whose sites count.
   */
  async mayAsk(origin: string): Promise<boolean> {
    if (this.#config.platform)
      return SiteOrigin.safeParse(origin).success || this.#isConfigured(origin);
    return await this.includes(origin);
  }

  /**
   * Lists all entries, also wildcards, for headers that name them. If the API fails and the dashboard's
   * list was never fetched, these are the entries of the configuration.
   */
  async list(organization?: string): Promise<string[]> {
    const dashboardOrigins = await this.#dashboardOrigins(organization).catch(() => []);
    return [...new Set([...this.#config.origins, ...dashboardOrigins])];
  }

  /** The origin of the requesting page if it may embed. */
  async ofRequest(request: HonoRequest, organization?: string): Promise<string | undefined> {
    const origin = await this.originOf(request);
    return origin !== undefined && (await this.includes(origin, organization)) ? origin : undefined;
  }

  /** The origin of the requesting page, allowed or not; undefined if the request names no page. */
  async originOf(request: HonoRequest): Promise<string | undefined> {
    return request.header('origin') ?? (await this.#ownOrigin(request));
  }

  /**
   * Browsers send no `Origin` with a same-origin GET, so the origin follows from `Sec-Fetch-Site` and
   * the host.
   */
  async #ownOrigin(request: HonoRequest): Promise<string | undefined> {
    if (request.header('sec-fetch-site') !== 'same-origin') return undefined;
    const { host } = new URL(request.url); // The scheme may differ: a proxy in front of us may terminate TLS.
    const isOwn = (origin: string) => URL.parse(origin)?.host === host;
    const exact = this.#givingPages.find(isOwn) ?? (await this.list()).find(isOwn);
    return exact ?? ((await this.includes(`https://${host}`)) ? `https://${host}` : undefined);
  }

  async #dashboardOrigins(organization?: string): Promise<string[]> {
    return (await this.#dashboardSites(organization)).map(({ origin }) => origin);
  }
}
