import { CampaignProgress, ConnectError } from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import { Limiter, tooMany } from './limits.ts';
import type { Upstream } from './upstream.ts';

/** A meter may be so old; it says so to browsers, too. */
export const FRESH_SECONDS = 20;

/** While the API is down, a meter shows what was last known for so long. */
const KEPT_SECONDS = 3600;

/** What is known of one campaign. */
interface Slot {
  organization: string | undefined;
  known?: { progress: CampaignProgress; at: number };
  asking?: Promise<CampaignProgress>;
  /** A gift was made since: what is known is old, whatever its age. */
  stale?: boolean;
}

/**
 * What campaigns have raised, for pages that show it: docs/decisions/0055-goal.md
 *
 * Only of campaigns that the configuration names, or that one of its forms gives to. However many
 * visitors look, a campaign costs the credential three calls a minute.
 */
export class CampaignSums {
  readonly #slots = new Map<string, Slot>();
  readonly #upstream: Upstream;
  readonly #pace: Limiter;
  readonly #now: () => number;

  constructor(config: ResolvedConfig, upstream: Upstream) {
    this.#upstream = upstream;
    this.#pace = new Limiter(config.limits.campaigns);
    this.#now = config.now ?? Date.now;
    const named = config.campaigns.map((one) =>
      typeof one === 'string' ? { id: one, organization: undefined } : one,
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
    const { known } = slot;
    const ageMs = known ? this.#now() - known.at : Infinity;
    if (known && !slot.stale && ageMs < FRESH_SECONDS * 1000) return known.progress;
    slot.asking ??= this.#ask(id, slot).finally(() => delete slot.asking);
    try {
      return await slot.asking;
    } catch (error) {
      if (known && ageMs < KEPT_SECONDS * 1000) return known.progress;
      throw error;
    }
  }

  /** A gift of this server's was recorded: meters ask again. */
  giftRecorded(): void {
    for (const slot of this.#slots.values()) slot.stale = true;
  }

  async #ask(id: string, slot: Slot): Promise<CampaignProgress> {
    const waitMs = await this.#pace.take('all');
    if (waitMs > 0) throw tooMany('Many campaigns are being looked at.', waitMs);
    const at = this.#now();
    slot.stale = false;
    const answer = await this.#upstream.call(
      (api) => api.getCampaignProgress(id),
      slot.organization,
    );
    const progress = CampaignProgress.parse(answer);
    slot.known = { progress, at };
    return progress;
  }
}

function notShown(id: string): ConnectError {
  const advice = 'If this is your site, add its id to "campaigns" in connect.config.ts.';
  return new ConnectError('not_found', `campaign: "${id}" is not shown here. ${advice}`);
}
