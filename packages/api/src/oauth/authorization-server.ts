import type { IncomingMessage, ServerResponse } from 'node:http';
import { isScope, type Scope } from '@connect-embed/contract';
import { errors, type InteractionResults } from 'oidc-provider';
import type { Db } from '../db/schema.ts';
import { approve } from './connections.ts';
import { openProvider, type RenderError } from './provider.ts';

/** Node's request and response, which `@hono/node-server` passes to every handler as `c.env`. */
export interface NodeHttp {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** The authorization request of an app, as the consent page shows it. */
export interface AccessRequest {
  uid: string;
  appId: string;
  appName: string;
  /** Host of the redirect URI, which the consent page shows to the member. */
  redirectHost: string;
  scopes: Scope[];
  /** True if the app requests `offline_access`, that is a refresh token. */
  requestsRefreshToken: boolean;
}

export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>;

/** The OAuth authorization server as our routes and pages use it. */
export function createAuthorizationServer(
  db: Db,
  options: { secret: string; baseUrl: string; renderError: RenderError },
) {
  const provider = openProvider(db, options);
  const { host, protocol } = new URL(options.baseUrl);
  const handle = provider.callback();

  /** Completes the interaction and returns the URL to redirect the browser to. */
  const finishInteraction = async ({ incoming, outgoing }: NodeHttp, result: InteractionResults) =>
    await provider.interactionResult(incoming, outgoing, result);

  return {
    /** Passes a request of the OAuth protocol to `oidc-provider`, which writes the response. */
    async serve({ incoming, outgoing }: NodeHttp): Promise<void> {
      // `oidc-provider` builds URLs from these headers. They are set from the configuration, because a
      // client could forge them.
      incoming.headers['x-forwarded-host'] = host;
      incoming.headers['x-forwarded-proto'] = protocol.slice(0, -1);
      await handle(incoming, outgoing);
    },

    /**
     * Loads the authorization request of the consent page.
     *
     * @returns undefined if it has expired, was decided or belongs to another browser
     */
    async loadAccessRequest(nodeHttp: NodeHttp, uid: string): Promise<AccessRequest | undefined> {
      const interaction = await findInteraction(nodeHttp);
      if (interaction?.uid !== uid) return undefined;
      const { client_id, redirect_uri, scope } = interaction.params as Record<string, string>;
      const app = await provider.Client.find(client_id ?? '');
      if (!app || !redirect_uri) return undefined;
      const requestedScopes = new Set(scope?.split(' '));
      return {
        uid,
        appId: app.clientId,
        appName: app.clientName ?? app.clientId,
        redirectHost: new URL(redirect_uri).host,
        scopes: [...requestedScopes].filter(isScope),
        requestsRefreshToken: requestedScopes.has('offline_access'),
      };
    },

    /** Approves the request and returns the URL to redirect the browser to. */
    async approve(
      nodeHttp: NodeHttp,
      request: AccessRequest,
      approval: { personId: string; organizationId: string; scopes: readonly Scope[] },
    ): Promise<string> {
      const offline = request.requestsRefreshToken ? (['offline_access'] as const) : [];
      const scopes = [...approval.scopes, ...offline];
      const grantId = await approve(db, { appId: request.appId, ...approval, scopes });
      return await finishInteraction(nodeHttp, {
        login: { accountId: approval.personId, remember: false },
        consent: { grantId },
      });
    },

    /** Denies the request and returns the URL to redirect the browser to. */
    deny: (nodeHttp: NodeHttp) =>
      finishInteraction(nodeHttp, {
        error: 'access_denied',
        error_description: 'The member did not approve the request.',
      }),
  };

  async function findInteraction({ incoming, outgoing }: NodeHttp) {
    try {
      return await provider.interactionDetails(incoming, outgoing);
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }
}
