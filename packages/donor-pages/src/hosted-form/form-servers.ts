import { SESSION_LIFETIME_SECONDS } from '@connect-embed/contract';
import { createConnectServer, type ConnectServer } from '@connect-embed/server';
import { cachedByKey } from '@connect-embed/server/pages';
import type { Deps } from '../deps.ts';
import { findTerms } from './find-terms.ts';
import { createSessionApi, requireEmbedSession } from './session-api.ts';

/** How many forms are served at a time; each server takes about 80 kB of memory, and more with many visitors. */
const MAX_SERVERS = 500;

/**
 * The servers of hosted forms: for each embed session the same backend-for-frontend (BFF) that websites run, with
 * that session in place of an API key. Its only form is named like the session, and only our own pages may show it:
 * docs/decisions/0023-hosted-page.md
 *
 * @returns a function that finds the server of an embed session; it throws `not_found` with code `page_expired` if
 *   the session has expired or does not exist
 */
export function formServers(deps: Deps): (sessionId: string) => Promise<ConnectServer> {
  const api = createSessionApi(deps);
  const servers = cachedByKey(
    async (id: string) => {
      const terms = await findTerms(deps.db, id);
      const server = createConnectServer({
        ...serverConfig(deps),
        apiKey: id,
        fetch: async (url, init) => await api.request(url, init),
        forms: { [id]: {} },
        campaigns: terms?.campaign_id ? [terms.campaign_id] : [],
      });
      return { value: server };
    },
    { now: Date.now, maxKeys: MAX_SERVERS, lifetime: () => ({ staleAt: Infinity }) },
  );
  return async (sessionId) => {
    // Before the cache, so that requests with other ids take no place from the servers of sessions.
    await requireEmbedSession(deps, sessionId);
    return await servers.get(sessionId);
  };
}

const serverConfig = ({ baseUrl, sessionSecret, getClientAddress, log, processor }: Deps) => ({
  apiBase: `${baseUrl}/api/v1`,
  publicUrl: baseUrl,
  ...(processor.usesSandbox && { sandboxUrl: new URL(processor.scriptUrl).origin }),
  sessionSecret,
  clientIp: getClientAddress,
  listForms: false,
  // The session API has no limit of a credential.
  limits: { credential: { points: 1_000_000, seconds: 1 } },
  // From the second minute of a session each visit loads the form again, which costs no request to another server.
  renewBeforeSeconds: SESSION_LIFETIME_SECONDS - 60,
  // The API already logs each request, as `/embed/:id/:path{.+}`, and each call of the session API with its own route.
  log: {
    info() {},
    warn: (entry: object, message: string) => log.warn(entry, message),
    error: (entry: object, message: string) => log.error(entry, message),
  },
});
