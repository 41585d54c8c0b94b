/**
 * What every copy of the script on a page shares.
 *
 * It hangs on the document under a registered symbol: no global name is taken, and a second copy,
 * even of another version, finds what the first one did.
 */
export interface PageState {
  /** Form sessions that the loader asked for before the bundle was there, by address. */
  started: Map<string, Promise<Response>>;
  /** What `bundles/script-with-session.ts` lends to files that come later: it is a script, and no module. */
  whole?: object;
  /** What `connect.init` was told; undefined before it, and once the viewer has signed out. */
  options?: PageOptions | undefined;
  /** Called after `options` has changed; there once a table is. */
  init?: () => void;
}

/** How the tables of a page reach their data, where neither they nor a provider say so. */
export interface PageOptions {
  server?: string;
  viewerToken?: string;
  /** Answers with the session of a component: `component-session.ts`. */
  fetchSession?: (signal: AbortSignal) => Promise<{
    token: string;
    expires_at: string;
    api_base: string;
  }>;
}

const KEY = Symbol.for('connect-embed');

type PageStateDocument = Document & { [KEY]?: PageState };

/** The page's share if a copy of the script has been here, else undefined. */
export const findPageState = () => (document as PageStateDocument)[KEY];

/** Makes the share for the first copy on the page; a later one gets none. */
export const createPageState = (): PageState | undefined =>
  findPageState() ? undefined : ((document as PageStateDocument)[KEY] = { started: new Map() });

/** Hands over the session that the loader asked for; a second caller gets none. */
export function takePrefetchedSession(
  server: string,
  form: string | null,
): Promise<Response> | undefined {
  const started = findPageState()?.started;
  const key = embedSessionUrl(server, form);
  const answer = started?.get(key);
  started?.delete(key);
  return answer;
}

/**
 * Where a form's session is opened, by POST without a body: a browser asks no leave for that, which
 * would be one round trip more before a form is drawn. Without a name the server takes its own.
 */
export const embedSessionUrl = (server: string, form: string | null | undefined) =>
  `${server}/embed-sessions${form ? `?form=${encodeURIComponent(form)}` : ''}`;
