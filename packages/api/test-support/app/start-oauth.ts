import { createApp } from '../../src/oauth/apps.ts';
import { DEMO_PEOPLE } from '../../src/users/demo-people.ts';
import { startApi, type StartOptions } from './start-api.ts';
import type { PageResponse } from '../browser/visitor.ts';

export const OWNER = DEMO_PEOPLE[0].email;
export const ADMIN = DEMO_PEOPLE[1].email;
export const VOLUNTEER = DEMO_PEOPLE[2].email;
export const DEVELOPER = DEMO_PEOPLE[3].email;
/** Redirect URI without a server. Tests read the redirect instead of following it. */
export const CALLBACK = 'http://localhost:9/callback';
export const AUTHORIZE = '/api/auth/oauth2/authorize';

export interface TokenBody {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
  organization_id: string;
  error: string;
  error_description: string;
}

/** The decision on the consent page: the person's email address, the organization and the button. */
interface ConsentOptions {
  as?: string;
  organization?: string;
  decision?: string;
}

/** Starts the API on a socket, with an OAuth app. */
export async function startOauth(options: StartOptions = {}) {
  const api = await startApi(options);
  const { visitor } = api;
  const developer = await personId(DEVELOPER);
  const app = await newApp();

  async function personId(email: string): Promise<string> {
    const query = api.db.selectFrom('person').select('id').where('email', '=', email);
    return (await query.executeTakeFirstOrThrow()).id;
  }

  function newApp(redirectUris = [CALLBACK]) {
    return createApp(api.db, { personId: developer, name: 'Sprout', redirectUris });
  }

  function authorizeUrl(params: Record<string, string> = {}): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: app.id,
      redirect_uri: CALLBACK,
      scope: 'donations:read offline_access',
      state: 'some-state',
      ...params,
    });
    return `${AUTHORIZE}?${query}`;
  }

  /**
   * Follows the OAuth flow from the authorization URL through sign-in and consent to the callback.
   */
  async function decide(
    url: string,
    { as = OWNER, organization = 'org_harbor', decision = 'approve' }: ConsentOptions = {},
  ) {
    const person = visitor();
    const page = await person.openAs(as, url);
    const response = await person.send(page, page.url.pathname, { organization, decision });
    return { callback: response.url, response, page, person };
  }

  /** Follows the OAuth flow of the app that this function registered. */
  const connect = (params: Record<string, string> = {}, options?: ConsentOptions) =>
    decide(authorizeUrl(params), options);

  async function post(path: string, fields: Record<string, string>, headers: HeadersInit = {}) {
    const init = { method: 'POST', body: new URLSearchParams(fields), headers };
    const response = await fetch(`${api.url}/api/auth/oauth2/${path}`, init);
    const text = await response.text();
    const body = (text ? JSON.parse(text) : {}) as TokenBody;
    return { status: response.status, headers: response.headers, body };
  }

  const client = () => ({ client_id: app.id, client_secret: app.secret });
  const exchange = (callback: URL, fields: Record<string, string> = {}) =>
    post('token', {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
      ...client(),
      ...fields,
    });
  const refresh = (refreshToken: string, fields: Record<string, string> = {}) =>
    post('token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      ...client(),
      ...fields,
    });
  /** Completes the OAuth flow and returns the tokens. */
  const tokens = async (...args: Parameters<typeof connect>) =>
    (await exchange((await connect(...args)).callback)).body;

  return {
    api,
    app,
    newApp,
    personId,
    visitor,
    authorizeUrl,
    decide,
    connect,
    post,
    client,
    exchange,
    refresh,
    tokens,
  };
}

export type { PageResponse };
