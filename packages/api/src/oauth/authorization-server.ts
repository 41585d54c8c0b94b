import type { Secrets } from '@connect-embed/contract/secrets';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isScope, type Scope } from '@connect-embed/contract';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import type { Db } from '../db/schema.ts';
import { approve } from './connections.ts';
import { openProvider } from './provider.ts';

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

/** The OAuth authorization server as our routes and pages use it. */
export class AuthorizationServer {
  readonly #db: Db;
  readonly #provider: Provider;
  readonly #handle: ReturnType<Provider['callback']>;
  readonly #issuer: URL;

  constructor(db: Db, options: { secret: Secrets; baseUrl: string }) {
    this.#db = db;
    this.#provider = openProvider(db, options);
    this.#handle = this.#provider.callback();
    this.#issuer = new URL(options.baseUrl);
  }

  /** Passes a request of the OAuth protocol to `oidc-provider`, which writes the response. */
  async serve({ incoming, outgoing }: NodeHttp): Promise<void> {
    // `oidc-provider` builds URLs from these headers. They are set from the configuration, because a
    // client could forge them.
    incoming.headers['x-forwarded-host'] = this.#issuer.host;
    incoming.headers['x-forwarded-proto'] = this.#issuer.protocol.slice(0, -1);
    await this.#handle(incoming, outgoing);
  }

  /**
   * Loads the authorization request of the consent page.
   *
   * @returns undefined if it has expired, was decided or belongs to another browser
   */
  async loadAccessRequest(nodeHttp: NodeHttp, uid: string): Promise<AccessRequest | undefined> {
    const interaction = await this.#findInteraction(nodeHttp);
    if (interaction?.uid !== uid) return undefined;
    const { client_id, redirect_uri, scope } = interaction.params as Record<string, string>;
    const app = await this.#provider.Client.find(client_id ?? '');
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
  }

  /** Approves the request and returns the URL to redirect the browser to. */
  async approve(
    nodeHttp: NodeHttp,
    request: AccessRequest,
    approval: { personId: string; organizationId: string; scopes: readonly Scope[] },
  ): Promise<string> {
    const offline = request.requestsRefreshToken ? (['offline_access'] as const) : [];
    const scopes = [...approval.scopes, ...offline];
    const grantId = await approve(this.#db, { appId: request.appId, ...approval, scopes });
    return await this.#finishInteraction(nodeHttp, {
      login: { accountId: approval.personId, remember: false },
      consent: { grantId },
    });
  }

  /** Denies the request and returns the URL to redirect the browser to. */
  async deny(nodeHttp: NodeHttp): Promise<string> {
    return await this.#finishInteraction(nodeHttp, {
      error: 'access_denied',
      error_description: 'The member did not approve the request.',
    });
  }

  async #findInteraction({ incoming, outgoing }: NodeHttp) {
    try {
      return await this.#provider.interactionDetails(incoming, outgoing);
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }

  /** Completes the interaction and returns the URL to redirect the browser to. */
  async #finishInteraction({ incoming, outgoing }: NodeHttp, result: InteractionResults) {
    return await this.#provider.interactionResult(incoming, outgoing, result);
  }
}
