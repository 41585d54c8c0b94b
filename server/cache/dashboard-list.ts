import type { AllowedSite, Form } from '@connect-embed/contract';
import type { ResolvedConfig } from '../connect-config.ts';
import type { Upstream } from '../upstream.ts';
import { cachedByOrganization } from './cached-resource.ts';
import { missingResourceCheck } from './missing-resources.ts';

/** Rows of a page of the API's list. */
const PAGE_SIZE = 100;

/** The lists of the API that members edit in the dashboard and pages depend on. */
interface Rows {
  forms: Form;
  'allowed-sites': AllowedSite;
}

/**
 * Returns the rows of a list. Without a credential for the organization, there are none.
 *
 * @param organization a connected organization; undefined for that of the credential
 * @throws {ConnectError} the API's error if the list was never fetched; `forbidden` with code
 *   `organization_not_connected`
 */
export type DashboardList<Name extends keyof Rows> = (
  organization?: string,
) => Promise<readonly Rows[Name][]>;

/**
 * A list of the dashboard for each organization, which all page views share: docs/decisions/0097-forms.md
 *
 * Up to 100 rows cost at most two API requests a minute.
 */
export function dashboardList<Name extends keyof Rows>(
  name: Name,
  config: ResolvedConfig,
  upstream: Upstream,
): DashboardList<Name> {
  const isMissing = missingResourceCheck(config.log);

  async function fetchRows(organization: string | undefined, etag: string | undefined) {
    const page = await upstream
      .call((api) => api.listIfChanged(name, etag, { limit: PAGE_SIZE }), organization)
      .catch((error: unknown) => {
        if (!isMissing(error, name)) throw error;
        return { data: [], next_cursor: null, etag: undefined };
      });
    if (!page) return undefined;
    const { data, next_cursor: cursor } = page;
    const rows = cursor ? [...data, ...(await fetchRowsFrom(cursor, organization))] : data;
    return {
      value: rows as Rows[Name][],
      // The tag of the first page does not say whether a row of another page has changed.
      etag: cursor ? undefined : page.etag,
    };
  }

  async function fetchRowsFrom(cursor: string, organization?: string): Promise<unknown[]> {
    return await upstream.call(async (api) => {
      const rows: unknown[] = [];
      for await (const row of api.all(name, { cursor, limit: PAGE_SIZE })) rows.push(row);
      return rows;
    }, organization);
  }

  const rowsOf = cachedByOrganization(config, fetchRows);
  return async (organization) => (await rowsOf(organization)) ?? [];
}
