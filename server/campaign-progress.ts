import { CampaignProgress, ConnectError } from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import type { OrganizationLists } from './organization-lists.ts';
import { parseFormName } from './platform/form-name.ts';
import { RateLimiter, rateLimitedError } from './rate-limits.ts';
import type { Upstream } from './upstream.ts';

/** Longest age of campaign progress in the cache; also the `max-age` for browsers. */
export const MAX_AGE_SECONDS = 20;

/** How long the last progress is served while the API is unavailable. */
const STALE_IF_ERROR_SECONDS = 3600;

/** Cached progress of one campaign. */
interface CacheEntry {
  id: string;
  organization: string | undefined;
  cached?: { progress: CampaignProgress; fetchedAtMs: number };
  pendingRequest?: Promise<CampaignProgress>;
  /**
   * True if a donation was recorded since the last fetch. The cached value is then stale at any
   * age.
   */
  isStale?: boolean;
}

/**
 * Caches how much campaigns have raised, for progress meters on pages:
 * docs/decisions/0055-campaign-progress.md
 *
 * Serves only campaigns that the configuration names, directly or as the campaign of a form, and those
 * of the published forms of the dashboard. A campaign costs at most three API requests a minute,
 * independent of the number of visitors.
 */
export class CampaignProgressCache {
  /** By the name of the campaign in pages. */
  readonly #entries = new Map<string, CacheEntry>();
  readonly #upstream: Upstream;
  readonly #dashboardForms: OrganizationLists<'forms'>;
  readonly #rateLimiter: RateLimiter;
  readonly #now: () => number;

  constructor(
    config: ResolvedConfig,
    upstream: Upstream,
    dashboardForms: OrganizationLists<'forms'>,
  ) {
    this.#upstream = upstream;
    this.#dashboardForms = dashboardForms;
    this.#rateLimiter = new RateLimiter(config.limits.campaigns);
    this.#now = config.now ?? Date.now;
    const configuredCampaigns = config.campaigns.map((item) =>
      typeof item === 'string' ? { id: item, organization: undefined } : item,
    );
    const formCampaigns = Object.values(config.forms).map(({ campaign_id: id, organization }) => ({
      id,
      organization,
    }));
    for (const { id, organization } of [...formCampaigns, ...configuredCampaigns]) {
      if (id) this.#entries.set(id, { id, organization });
    }
  }

  /**
   * Returns the progress of a campaign, from the cache if it is fresh.
   *
   * @param name id of the campaign; on a platform with the connected organization: `org_harbor/camp_winter`
   * @throws {ConnectError} `not_found` if the campaign is not configured; otherwise the API's error
   * when nothing recent is cached
   */
  async get(name: string): Promise<CampaignProgress> {
    const entry = this.#entries.get(name) ?? (await this.#addFromDashboard(name));
    const { cached } = entry;
    const ageMs = cached ? this.#now() - cached.fetchedAtMs : Infinity;
    if (cached && !entry.isStale && ageMs < MAX_AGE_SECONDS * 1000) return cached.progress;
    entry.pendingRequest ??= this.#fetchProgress(entry).finally(() => delete entry.pendingRequest);
    try {
      return await entry.pendingRequest;
    } catch (error) {
      if (cached && ageMs < STALE_IF_ERROR_SECONDS * 1000) return cached.progress;
      throw error;
    }
  }

  /**
   * Adds the campaign of a published form of the dashboard. Its progress is also served after the form
   * has changed, because pages with the meter remain.
   *
   * @throws {ConnectError} `not_found` if no form has this campaign
   */
  async #addFromDashboard(name: string): Promise<CacheEntry> {
    const { organization, slug: id } = parseFormName(name);
    const forms = await this.#dashboardForms.get(organization);
    if (!forms.some(({ campaign_id }) => campaign_id === id)) throw notConfiguredError(name);
    const entry: CacheEntry = this.#entries.get(name) ?? { id, organization };
    this.#entries.set(name, entry);
    return entry;
  }

  /** Marks all cached progress as stale, because a donation through this server was recorded. */
  markStale(): void {
    for (const entry of this.#entries.values()) entry.isStale = true;
  }

  async #fetchProgress(entry: CacheEntry): Promise<CampaignProgress> {
    const waitMs = await this.#rateLimiter.consume(entry.organization ?? 'credential');
    if (waitMs > 0) throw rateLimitedError('Too many campaign requests right now.', waitMs);
    const fetchedAtMs = this.#now();
    entry.isStale = false;
    const response = await this.#upstream.call(
      (api) => api.getCampaignProgress(entry.id),
      entry.organization,
    );
    const progress = CampaignProgress.parse(response);
    entry.cached = { progress, fetchedAtMs };
    return progress;
  }
}

function notConfiguredError(name: string): ConnectError {
  const advice =
    'If this is your site, publish a form for it in the dashboard, or add its id to "campaigns" in connect.config.ts.';
  return new ConnectError('not_found', `The campaign "${name}" is not available here. ${advice}`, {
    code: 'resource_missing',
  });
}
