import { CampaignProgress, ConnectError } from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import { RateLimiter, rateLimitedError } from './rate-limits.ts';
import type { Upstream } from './upstream.ts';

/** A meter may be so old; it says so to browsers, too. */
export const MAX_AGE_SECONDS = 20;

/** While the API is down, a meter shows what was last known for so long. */
const STALE_IF_ERROR_SECONDS = 3600;

/** What is known of one campaign. */
interface CacheEntry {
  organization: string | undefined;
  cached?: { progress: CampaignProgress; at: number };
  pendingRequest?: Promise<CampaignProgress>;
  /** A gift was made since: what is known is old, whatever its age. */
  isStale?: boolean;
}

/**
 * What campaigns have raised, for pages that show it: docs/decisions/0055-goal.md
 *
 * Only of campaigns that the configuration names, or that one of its forms gives to. However many
 * visitors look, a campaign costs the credential three calls a minute.
 */
export class CampaignProgressCache {
  readonly #slots = new Map<string, CacheEntry>();
  readonly #upstream: Upstream;
  readonly #pace: RateLimiter;
  readonly #now: () => number;

  constructor(config: ResolvedConfig, upstream: Upstream) {
    this.#upstream = upstream;
    this.#pace = new RateLimiter(config.limits.campaigns);
    this.#now = config.now ?? Date.now;
    const named = config.campaigns.map((item) =>
      typeof item === 'string' ? { id: item, organization: undefined } : item,
    );
    const ofForms = Object.values(config.forms).map(({ campaign_id: id, organization }) => ({
      id,
      organization,
    }));
    for (const { id, organization } of [...ofForms, ...named]) {
      if (id) this.#slots.set(id, { organization });
    }
  }

  /**
   * @throws {ConnectError} `not_found` for a campaign that is not shown here, or why it cannot be
   *   told
   */
  async get(id: string): Promise<CampaignProgress> {
    const slot = this.#slots.get(id);
    if (!slot) throw notShown(id);
    const { cached } = slot;
    const ageMs = cached ? this.#now() - cached.at : Infinity;
    if (cached && !slot.isStale && ageMs < MAX_AGE_SECONDS * 1000) return cached.progress;
    slot.pendingRequest ??= this.#ask(id, slot).finally(() => delete slot.pendingRequest);
    try {
      return await slot.pendingRequest;
    } catch (error) {
      if (cached && ageMs < STALE_IF_ERROR_SECONDS * 1000) return cached.progress;
      throw error;
    }
  }

  /** A gift of this server's was recorded: meters ask again. */
  giftRecorded(): void {
    for (const slot of this.#slots.values()) slot.isStale = true;
  }

  async #ask(id: string, slot: CacheEntry): Promise<CampaignProgress> {
    const waitMs = await this.#pace.take('all');
    if (waitMs > 0) throw rateLimitedError('Many campaigns are being looked at.', waitMs);
    const at = this.#now();
    slot.isStale = false;
    const response = await this.#upstream.call(
      (api) => api.getCampaignProgress(id),
      slot.organization,
    );
    const progress = CampaignProgress.parse(response);
    slot.cached = { progress, at };
    return progress;
  }
}

function notShown(id: string): ConnectError {
  const advice = 'If this is your site, add its id to "campaigns" in connect.config.ts.';
  return new ConnectError('not_found', `campaign: "${id}" is not shown here. ${advice}`);
}
