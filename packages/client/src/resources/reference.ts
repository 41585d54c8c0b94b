import type {
  AllowedSite,
  AllowedSiteRequest,
  Campaign,
  CampaignProgress,
  CreateAllowedSiteRequest,
  Form,
  Fund,
  ListQuery,
  Organization,
} from '@connect-embed/contract';
import { path, type Call, type RequestOptions } from '../call.ts';
import type { Filters } from '../filters.ts';
import { ResourceList } from '../resource-list.ts';

export const campaignMethods = (call: Call) => ({
  /** Lists campaigns, newest first. Scope: `reference:read`. */
  list: (filters?: Filters<ListQuery>, options?: RequestOptions) =>
    new ResourceList<Campaign>(call, '/campaigns', filters, options),

  /** Reads the amount that a campaign has raised. @throws {ConnectError} `not_found` */
  progress: (id: string, options?: RequestOptions) =>
    call<CampaignProgress>('GET', path`/campaigns/${id}/progress`, undefined, options),
});

export const formMethods = (call: Call) => ({
  /** Lists donation forms, including drafts, newest first. Scope: `reference:read`. */
  list: (filters?: Filters<ListQuery>, options?: RequestOptions) =>
    new ResourceList<Form>(call, '/forms', filters, options),

  /** Reads a donation form. @throws {ConnectError} `not_found` */
  get: (id: string, options?: RequestOptions) =>
    call<Form>('GET', path`/forms/${id}`, undefined, options),
});

export const fundMethods = (call: Call) => ({
  /** Lists funds, newest first. Scope: `reference:read`. */
  list: (filters?: Filters<ListQuery>, options?: RequestOptions) =>
    new ResourceList<Fund>(call, '/funds', filters, options),
});

export const organizationMethods = (call: Call) => ({
  /** Reads the organization of the token. Scope: `reference:read`. */
  get: (options?: RequestOptions) => call<Organization>('GET', '/organization', undefined, options),
});

export const allowedSiteMethods = (call: Call) => ({
  /** Lists the websites that may show the organization’s forms and tables. Scope: `reference:read`. */
  list: (filters?: Filters<ListQuery>, options?: RequestOptions) =>
    new ResourceList<AllowedSite>(call, '/allowed-sites', filters, options),
});

export const allowedSiteRequestMethods = (call: Call) => ({
  /** Asks the owners to allow a website. Scope: `payments:write`. */
  create: (request: CreateAllowedSiteRequest, options?: RequestOptions) =>
    call<AllowedSiteRequest>('POST', '/allowed-site-requests', request, options),
});
