import { CampaignProgress, ConnectError } from '@connect-embed/contract';
import type { ResolvedConfig } from '../connect-config.ts';
import { parseFormName } from '../platform/form-name.ts';
import { RateLimiter } from '../rate-limiter.ts';
import type { Upstream } from '../upstream.ts';
import { cachedByKey } from './cached-resource.ts';
import type { DashboardList } from './dashboard-list.ts';

/** Longest age of campaign progress in the cache; also the `max-age` for browsers. */
export const MAX_AGE_SECONDS = 20;

/** Longest age after a donation was started, while the donor looks at the meter on the same page. */
const AGE_AFTER_DONATION_SECONDS = 4;
/** How long a donation is expected to be recorded: Stripe's webhook event takes a moment. */
const DONATION_SECONDS = 60;

/** How long the last progress is served while the API is unavailable. */
const STALE_IF_ERROR_SECONDS = 3600;

interface Campaign {
  id: string;
  organization?: string | undefined;
}

/**
 * Caches how much campaigns have raised, for progress meters on pages: docs/decisions/0055-campaign-progress.md
 *
 * Serves only campaigns that the configuration names, directly or as the campaign of a form, and those
 * of the published forms of the dashboard. A campaign costs at most three API requests a minute, and
 * fifteen in the minute after a donation was started, independent of the number of visitors.
 */
export function campaignProgressCache(
  config: ResolvedConfig,
  upstream: Upstream,
  dashboardForms: DashboardList<'forms'>,
) {
  const rateLimiter = new RateLimiter(config.limits.campaigns);
  /** By the name of the campaign in pages. */
  const campaigns = configuredCampaigns(config);

  const { now } = config;
  let donationExpectedUntil = 0;

  const progress = cachedByKey(
    async (name: string) => {
      const { id, organization } = campaigns.get(name)!;
      await rateLimiter.consumeOrThrow(
        organization ?? 'credential',
        'Too many campaign requests right now.',
      );
      const response = await upstream.call((api) => api.getCampaignProgress(id), organization);
      return { value: CampaignProgress.parse(response) };
    },
    {
      now,
      lifetime: (_, fetchedAt) => {
        const ageSeconds =
          fetchedAt < donationExpectedUntil ? AGE_AFTER_DONATION_SECONDS : MAX_AGE_SECONDS;
        return {
          staleAt: fetchedAt + ageSeconds * 1000,
          expiresAt: fetchedAt + STALE_IF_ERROR_SECONDS * 1000,
        };
      },
    },
  );

  /**
   * Adds the campaign of a published form of the dashboard. Its progress is also served after the form
   * has changed, because pages with the meter remain.
   *
   * @throws {ConnectError} `not_found` if no form has this campaign
   */
  async function addFromDashboard(name: string): Promise<void> {
    const { organization, slug: id } = parseFormName(name);
    const forms = await dashboardForms(organization);
    if (!forms.some(({ campaign_id }) => campaign_id === id)) throw notConfiguredError(name);
    campaigns.set(name, { id, organization });
  }

  return {
    /**
     * @param name id of the campaign; on a platform with the connected organization: `org_harbor/camp_winter`
     * @throws {ConnectError} `not_found` if the campaign is not configured; otherwise the API's error
     *   when nothing recent is cached
     */
    async get(name: string): Promise<CampaignProgress> {
      if (!campaigns.has(name)) await addFromDashboard(name);
      return await progress.get(name);
    },
    /** Keeps all progress for a few seconds only, because a donation through this server was started. */
    expectDonation(): void {
      donationExpectedUntil = now() + DONATION_SECONDS * 1000;
      progress.markAllStale();
    },
  };
}

function configuredCampaigns(config: ResolvedConfig): Map<string, Campaign> {
  const ofForms = Object.values(config.forms).map(({ campaign_id: id, organization }) => ({
    id,
    organization,
  }));
  const named: Campaign[] = config.campaigns.map((item) =>
    typeof item === 'string' ? { id: item } : item,
  );
  return new Map(
    [...ofForms, ...named].flatMap(({ id, organization }) => {
      if (!id) return [];
      const names = organization ? [id, `${organization}/${id}`] : [id];
      return names.map((name) => [name, { id, organization }] as const);
    }),
  );
}

function notConfiguredError(name: string): ConnectError {
  const advice =
    'If this is your site, publish a form for it in the dashboard, or add its id to "campaigns" in connect.config.ts.';
  return new ConnectError('not_found', `The campaign "${name}" is not available here. ${advice}`, {
    code: 'resource_missing',
  });
}
