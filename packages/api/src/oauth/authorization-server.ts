import type { IncomingMessage, ServerResponse } from 'node:http';
import { isScope, type Scope } from '@connect-embed/contract';
import { errors, type InteractionResults } from 'oidc-provider';
import type { Db } from '../db/database.ts';
import { approve } from './connections.ts';
import { openProvider } from './provider.ts';

/** Node's own pair, which `@hono/node-server` hands to every handler. */
export interface NodeCall {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** What an app asks a member for. */
export interface AccessRequest {
  uid: string;
  appId: string;
  appName: string;
  /** Where the answer goes, as a member can check it. */
  redirectHost: string;
  scopes: Scope[];
  /** Whether it wants to go on while nobody watches. */
  offline: boolean;
}

export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>;

/** The authorization server as our routes and pages use it. */
export function createAuthorizationServer(
  db: Db,
  options: { secret: string; baseUrl: string; renderError: RenderError },
) {
  const provider = openProvider(db, options);
  const { host, protocol } = new URL(options.baseUrl);
  const handle = provider.callback();

  /** Ends the member's part, and says where the browser goes from here. */
  const finish = async ({ incoming, outgoing }: NodeCall, result: InteractionResults) =>
    await provider.interactionResult(incoming, outgoing, result);

  return {
    /** Lets the library answer a request of the protocol. */
    async serve({ incoming, outgoing }: NodeCall): Promise<void> {
      // Addresses come from the configuration, never from what a request says of itself.
      incoming.headers['x-forwarded-host'] = host;
      incoming.headers['x-forwarded-proto'] = protocol.slice(0, -1);
      await handle(incoming, outgoing);
    },

    /** @returns undefined when it has run out, was answered, or is another browser's */
    async readRequest(call: NodeCall, uid: string): Promise<AccessRequest | undefined> {
      const interaction = await findInteraction(call);
      if (interaction?.uid !== uid) return undefined;
      const { client_id, redirect_uri, scope } = interaction.params as Record<string, string>;
      const app = await provider.Client.find(client_id ?? '');
      if (!app || !redirect_uri) return undefined;
      const asked = new Set(scope?.split(' '));
      return {
        uid,
        appId: app.clientId,
        appName: app.clientName ?? app.clientId,
        redirectHost: new URL(redirect_uri).host,
        scopes: [...asked].filter(isScope),
        offline: asked.has('offline_access'),
      };
    },

    /** Approves, and says where the browser goes from here. */
    async approve(
      call: NodeCall,
      request: AccessRequest,
      approval: { personId: string; organizationId: string; scopes: readonly Scope[] },
    ): Promise<string> {
      const offline = request.offline ? (['offline_access'] as const) : [];
      const scopes = [...approval.scopes, ...offline];
      const grantId = await approve(db, { appId: request.appId, ...approval, scopes });
      return await finish(call, {
        login: { accountId: approval.personId, remember: false },
        consent: { grantId },
      });
    },

    /** Tells the app no, and says where the browser goes from here. */
    deny: (call: NodeCall) =>
      finish(call, {
        error: 'access_denied',
        error_description: 'The member did not approve.',
      }),
  };

  async function findInteraction({ incoming, outgoing }: NodeCall) {
    try {
      return await provider.interactionDetails(incoming, outgoing);
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }
}

/** Draws the page for a request that cannot be sent back to its app. */
export type RenderError = (problem: {
  error: string;
  error_description?: string | undefined;
}) => Promise<string>;
