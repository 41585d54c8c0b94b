/**
 * Where a platform keeps the tokens of its organizations: a map from an organization's id to a
 * sealed text.
 *
 * What is handed in is encrypted already, so any store will do: a table, a key-value service, a
 * file. It is written again at every refresh, about once an hour for each organization in use.
 */
export interface TokenStore {
  get(organizationId: string): Promise<string | undefined>;
  set(organizationId: string, sealed: string): Promise<void>;
  delete(organizationId: string): Promise<void>;
}

/** Forgets with the process: for trying out, and for tests. */
export function memoryTokenStore(): TokenStore {
  const kept = new Map<string, string>();
  return {
    get: async (organizationId) => kept.get(organizationId),
    set: async (organizationId, sealed) => void kept.set(organizationId, sealed),
    delete: async (organizationId) => void kept.delete(organizationId),
  };
}
