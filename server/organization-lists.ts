import { ConnectError } from '@connect-embed/contract';
import { CachedList, type CachedLists } from './cached-list.ts';
import type { ResolvedConfig } from './connect-config.ts';
import type { Upstream } from './upstream.ts';

/**
 * A list of the dashboard for each organization: the one of the server's credential, and on a platform
 * those of the connected organizations (docs/decisions/0097-forms.md).
 */
export class OrganizationLists<Name extends keyof CachedLists> {
  /** The list of the server's credential. A platform has no credential of its own, and no such list. */
  readonly #own: CachedList<Name> | undefined;
  readonly #ofOrganizations = new Map<string, CachedList<Name>>();
  readonly #isPlatform: boolean;
  readonly #create: (organization?: string) => CachedList<Name>;

  constructor(name: Name, config: ResolvedConfig, upstream: Upstream) {
    this.#create = (organization) => new CachedList(name, config, upstream, organization);
    this.#isPlatform = config.platform !== undefined;
    this.#own = config.apiKey === undefined ? undefined : this.#create();
  }

  /**
   * Returns the rows of the list.
   *
   * @param organization a connected organization; the list of another one is empty
   * @throws {ConnectError} the API's error if the list was never fetched; `forbidden` with code
   *   `organization_not_connected`
   */
  async get(organization?: string): Promise<readonly CachedLists[Name][]> {
    if (organization === undefined) return (await this.#own?.get()) ?? [];
    if (!this.#isPlatform) return [];
    const list = this.#ofOrganizations.get(organization) ?? this.#create(organization);
    this.#ofOrganizations.set(organization, list);
    try {
      return await list.get();
    } catch (error) {
      // Visitors can name any organization. Only connected ones are remembered.
      const isConnected =
        error instanceof ConnectError && error.code !== 'organization_not_connected';
      if (!isConnected) this.#ofOrganizations.delete(organization);
      throw error;
    }
  }
}
