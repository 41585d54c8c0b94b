import { ByOrganization } from './by-organization.ts';
import { CachedList, type CachedLists } from './cached-list.ts';
import type { ResolvedConfig } from './connect-config.ts';
import type { Upstream } from './upstream.ts';

/** A list of the dashboard for each organization: docs/decisions/0097-forms.md */
export class OrganizationLists<Name extends keyof CachedLists> {
  readonly #lists: ByOrganization<CachedList<Name>>;

  constructor(name: Name, config: ResolvedConfig, upstream: Upstream) {
    this.#lists = new ByOrganization(
      config,
      (organization) => new CachedList(name, config, upstream, organization),
    );
  }

  /**
   * Returns the rows of the list. Without a credential for the organization, it is empty.
   *
   * @param organization a connected organization; undefined for that of the credential
   * @throws {ConnectError} the API's error if the list was never fetched; `forbidden` with code
   *   `organization_not_connected`
   */
  async get(organization?: string): Promise<readonly CachedLists[Name][]> {
    return (await this.#lists.read(organization, (list) => list.get())) ?? [];
  }
}
