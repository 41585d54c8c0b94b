import type { Adapter } from 'oidc-provider';

/** Adapter for models of `oidc-provider` that are not stored. */
export const EMPTY_ADAPTER: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  // `oidc-provider` destroys a revoked grant as well, and deleting its row cascades to its tokens.
  revokeByGrantId: async () => undefined,
};
