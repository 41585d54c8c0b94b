import type { Adapter } from 'oidc-provider';

/** What a model of the library does not keep here. */
export const EMPTY_ADAPTER: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  // Whatever revokes a grant destroys it, and its tokens go with its row.
  revokeByGrantId: async () => undefined,
};
