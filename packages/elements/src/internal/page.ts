/**
 * What every copy of the script on a page shares.
 *
 * It hangs on the document under a registered symbol: no global name is taken, and a second copy,
 * even of another version, finds what the first one did.
 */
export interface PageShare {
  /** Form sessions that the loader asked for while the bundle was still on its way. */
  started: Map<string, Promise<Response>>;
}

const KEY = Symbol.for('connect-embed');

type SharingDocument = Document & { [KEY]?: PageShare };

/** The page's share if a copy of the script has been here, else undefined. */
export const findShare = () => (document as SharingDocument)[KEY];

/** Makes the share; the caller is the first copy on the page. */
export const makeShare = (): PageShare =>
  ((document as SharingDocument)[KEY] = { started: new Map() });

/** One name for one form of one server, so that loader and element mean the same session. */
export const formKey = (server: string, form: string | null) => `${server} ${form ?? ''}`;

/** Hands over the session that the loader asked for; a second caller gets none. */
export function takeStarted(server: string, form: string | null): Promise<Response> | undefined {
  const started = findShare()?.started;
  const key = formKey(server, form);
  const answer = started?.get(key);
  started?.delete(key);
  return answer;
}

/** Body of `POST /embed-sessions`: without a name the server takes its only form. */
export const formRequest = (form: string | null) => JSON.stringify(form ? { form } : {});
