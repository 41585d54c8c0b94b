/**
 * Stores the OAuth tokens of a platform: a map from organization id to encrypted text.
 *
 * The value is already encrypted, so any store is suitable: a table, a key-value service, a file.
 * It is written at every refresh, about once an hour for each organization in use.
 */
export interface TokenStore {
  get(organizationId: string): Promise<string | undefined>;
  set(organizationId: string, sealed: string): Promise<void>;
  delete(organizationId: string): Promise<void>;
}

/** Keeps tokens in memory only: for development and tests. */
export function memoryTokenStore(): TokenStore {
  const kept = new Map<string, string>();
  return {
    get: async (organizationId) => kept.get(organizationId),
    set: async (organizationId, sealed) => void kept.set(organizationId, sealed),
    delete: async (organizationId) => void kept.delete(organizationId),
  };
}
