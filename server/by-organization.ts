import { ConnectError } from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';

/**
 * One item for each organization, such as a cached list: for that of the server's credential, and on a
 * platform for each connected organization.
 */
export class ByOrganization<Item extends object> {
  /** Undefined on a platform, which has no credential of its own. */
  readonly #own: Item | undefined;
  readonly #ofConnected = new Map<string, Item>();
  readonly #isPlatform: boolean;
  readonly #create: (organization?: string) => Item;

  constructor({ apiKey, platform }: ResolvedConfig, create: (organization?: string) => Item) {
    this.#create = create;
    this.#isPlatform = platform !== undefined;
    this.#own = apiKey === undefined ? undefined : create();
  }

  /**
   * Reads the item of an organization.
   *
   * @param organization a connected organization; undefined for that of the credential
   * @returns undefined if the server has no credential for any such organization
   * @throws {ConnectError} the error of `read`; `forbidden` with code `organization_not_connected`
   */
  async read<Value>(
    organization: string | undefined,
    read: (item: Item) => Promise<Value>,
  ): Promise<Value | undefined> {
    if (organization === undefined) return this.#own && (await read(this.#own));
    if (!this.#isPlatform) return undefined;
    const item = this.#ofConnected.get(organization) ?? this.#create(organization);
    this.#ofConnected.set(organization, item);
    try {
      return await read(item);
    } catch (error) {
      // Visitors can name any organization. Only connected ones are remembered.
      const isConnected =
        error instanceof ConnectError && error.code !== 'organization_not_connected';
      if (!isConnected) this.#ofConnected.delete(organization);
      throw error;
    }
  }
}
