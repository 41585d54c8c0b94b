/**
 * Stores the OAuth tokens of a platform: a map from organization id to encrypted text.
 *
 * The value is already encrypted, so any store is suitable: a table, a key-value service, a file.
 * It is written at every refresh, about once an hour for each organization in use.
 */
export interface TokenStore {
  get(organizationId: string): Promise<string | undefined>;
  set(organizationId: string, encryptedTokens: string): Promise<void>;
  delete(organizationId: string): Promise<void>;
}

/** Keeps tokens in memory only: for development and tests. */
export function memoryTokenStore(): TokenStore {
  const tokensByOrganization = new Map<string, string>();
  return {
    get: async (organizationId) => tokensByOrganization.get(organizationId),
    set: async (organizationId, encryptedTokens) =>
      void tokensByOrganization.set(organizationId, encryptedTokens),
    delete: async (organizationId) => void tokensByOrganization.delete(organizationId),
  };
}
