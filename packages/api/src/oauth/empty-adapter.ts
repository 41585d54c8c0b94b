import type { Adapter } from 'oidc-provider';

/** Adapter for models of `oidc-provider` that are not stored. */
export const EMPTY_ADAPTER: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  // This does nothing, because `oidc-provider` also calls `destroy` of the grant, and deleting its
  // row cascades to its tokens.
  revokeByGrantId: async () => undefined,
};
