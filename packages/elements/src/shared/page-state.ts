/**
 * The state that all copies of the script on a page share.
 *
 * It is a property of the document under a registered symbol, so that it needs no global name and a
 * second copy, even of another version, finds it.
 */
interface PageState {
  /** Forms that the loader has requested together with the elements, by URL. */
  requests: Record<string, FormRequest>;
  /** Options of `ConnectEmbed.init`; undefined before the first call and after a sign-out. */
  options?: PageOptions | undefined;
  /** Called after `options` has changed; set once a table exists. */
  init?: () => void;
}

/** A request of `GET /embed-form`. */
export interface FormRequest {
  response: Promise<Response>;
}

/** Default options for all tables of a page that have none themselves and no provider. */
export interface PageOptions {
  server?: string;
  viewerToken?: string;
  /** Fetches a component session: `component-session.ts`. */
  fetchSession?: (signal: AbortSignal) => Promise<{
    token: string;
    expires_at: string;
    api_base: string;
  }>;
}

const KEY = Symbol.for('connect-embed');

type PageStateDocument = Document & { [KEY]?: PageState };

/** The shared state if a copy of the script has run on this page, else undefined. */
export const findPageState = () => (document as PageStateDocument)[KEY];

/** Creates the shared state for the first copy of the script; undefined for later copies. */
export const createPageState = (): PageState | undefined =>
  findPageState() ? undefined : ((document as PageStateDocument)[KEY] = { requests: {} });

/** Returns the request that the loader has made, once; undefined for later callers. */
export function takeFormRequest(url: string): FormRequest | undefined {
  const requests = findPageState()?.requests;
  const request = requests?.[url];
  delete requests?.[url];
  return request;
}

/** URL of the data of a form. Without a name the server uses its default form. */
export const embedFormUrl = ({
  server,
  name,
}: {
  server: string;
  name: string | null | undefined;
}) => `${server}/embed-form${name ? `?form=${encodeURIComponent(name)}` : ''}`;
