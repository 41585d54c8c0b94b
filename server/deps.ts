import { createDonorHasher } from '@connect-embed/contract';
import type { Context } from 'hono';
import { campaignProgressCache } from './cache/campaign-progress.ts';
import { dashboardList } from './cache/dashboard-list.ts';
import type { Permission, ResolvedConfig } from './connect-config.ts';
import { AllowedOrigins } from './guard/allowed-origins.ts';
import { DonationGuard } from './guard/donation-guard.ts';
import { SetupLimits } from './guard/rate-limits.ts';
import { createPermissionCheck } from './sessions/viewer-permissions.ts';
import { PlatformConnections } from './platform/platform.ts';
import { EmbedSessions } from './sessions/embed-sessions.ts';
import { VisitorTokens } from './sessions/visitor-tokens.ts';
import { Upstream } from './upstream.ts';

/** Context variables of a request, for Hono. */
export interface Env {
  Variables: { requestId: string; origin: string; permission: Permission };
}

/** Dependencies of the routes. */
export type Deps = ReturnType<typeof createDeps>;

export function createDeps(config: ResolvedConfig) {
  const { sessionSecret, now } = config;
  const platform = config.platform && new PlatformConnections(config.platform, sessionSecret, now);
  const upstream = new Upstream(config, platform);
  const dashboardForms = dashboardList('forms', config, upstream);
  const guard = new DonationGuard(config);
  return {
    config,
    /** Undefined if the server acts for one organization with its API key. */
    platform,
    upstream,
    allowedOrigins: new AllowedOrigins(config, upstream),
    dashboardForms,
    sessions: new EmbedSessions(config, upstream, dashboardForms, guard),
    campaigns: campaignProgressCache(config, upstream, dashboardForms),
    visitorTokens: new VisitorTokens(sessionSecret, now),
    guard,
    /** Hashes the keys by which the API counts attempts, so that it receives no IP address. */
    hashDonorKey: createDonorHasher(sessionSecret),
    permission: createPermissionCheck(config),
    setupLimits: new SetupLimits(config.limits),
    /** The visitor's IP address, if the host provides `clientIp`. */
    address: (c: Context) => config.clientIp?.(c.req.raw, c.env),
  };
}
