import type { DonorHasher } from '@connect-embed/contract';
import type { Context } from 'hono';
import type { AllowedOrigins } from './guard/allowed-origins.ts';
import type { CampaignProgressCache } from './cache/campaign-progress.ts';
import type { DashboardList } from './cache/dashboard-list.ts';
import type { Permission, ResolvedConfig } from './connect-config.ts';
import type { EmbedSessions } from './sessions/embed-sessions.ts';
import type { DonationGuard } from './guard/donation-guard.ts';
import type { PlatformConnections } from './platform/platform.ts';
import type { SetupLimits } from './guard/rate-limits.ts';
import type { Upstream } from './upstream.ts';
import type { PermissionCheck } from './guard/viewer-permissions.ts';
import type { VisitorTokens } from './sessions/visitor-tokens.ts';

/** Context variables of a request, for Hono. */
export interface Env {
  Variables: { requestId: string; origin: string; permission: Permission };
}

/** Dependencies of the routes. */
export interface Deps {
  config: ResolvedConfig;
  /** The origins of pages that may embed. */
  allowedOrigins: AllowedOrigins;
  upstream: Upstream;
  /** The forms that members edit in the dashboard. */
  dashboardForms: DashboardList<'forms'>;
  sessions: EmbedSessions;
  campaigns: CampaignProgressCache;
  visitorTokens: VisitorTokens;
  guard: DonationGuard;
  /**
   * Hashes the key by which the API counts attempts of one donor, so that the API receives no IP
   * address.
   */
  hashDonorKey: DonorHasher;
  permission: PermissionCheck;
  setupLimits: SetupLimits;
  /** Absent if the server acts for one organization with its API key. */
  platform: PlatformConnections | undefined;
  /** The visitor's IP address, if the host provides `clientIp`. */
  address: (c: Context) => string | undefined;
}
