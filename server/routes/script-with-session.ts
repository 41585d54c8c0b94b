import type { FormSession } from '@connect-embed/contract';
import type { Context } from 'hono';
import type { Deps } from '../env.ts';
import { parseFormName } from '../platform/form-name.ts';
import { openFormSession } from './embed-sessions.ts';
import { chooseEncoding } from '../script-source.ts';

/**
 * Longest wait for the session. After a longer wait the plain script is better: it shows an outline
 * of the form while it opens the session itself.
 */
const SESSION_TIMEOUT_MS = 500;

/** Value of the `Vary` header: the response depends on the origin of the requesting page. */
export const VARY = 'Origin, Sec-Fetch-Site, Accept-Encoding';

/**
 * `GET /connect.js?form=meals` from an allowed page: script, form and visitor session in one
 * response, which is never cached. docs/decisions/0014-element-bundles.md
 *
 * @param folder of a version, with a final slash
 * @returns undefined if the plain script must be served, which opens the session itself and reports
 * errors
 */
export async function renderScriptWithSession(
  c: Context,
  form: string,
  folder: string,
  deps: Deps,
) {
  // Without the API the plain script is served, which reports the error.
  const { organization } = parseFormName(form);
  const origin = await deps.allowedOrigins.ofRequest(c.req, organization).catch(() => undefined);
  const script = origin && (await deps.config.scripts?.find(`${folder}whole.js`));
  if (!origin || !script) return undefined;
  const session = await withTimeout(openFormSession(origin, form, deps));
  if (!session) return undefined;

  const { shared, visitor } = renderCall(form, session);
  const { compress } = deps.config.scripts!;
  const encoding = compress && chooseEncoding(c.req.header('accept-encoding') ?? '', script);
  if (encoding) c.header('Content-Encoding', encoding);
  c.header('Access-Control-Allow-Origin', origin);
  c.header('Cache-Control', 'no-store');
  c.header('Vary', VARY);
  c.header('Content-Type', script.type);
  if (encoding) return c.body(await compress(script, shared, visitor, encoding));
  return c.body(new TextDecoder().decode(script.body) + shared + visitor);
}

/**
 * The build emits a function expression (`wholeScript` in vite.config.ts), and this function renders the
 * call that follows it. The session is JSON inside a string of the JSON literal. What differs between the
 * visitors of a form comes last, so that the text before it can be compressed once.
 */
function renderCall(form: string, session: FormSession): { shared: string; visitor: string } {
  const { expires_at, proof_required, session_token, ...common } = session;
  const sharedJson = JSON.stringify(common).slice(0, -1);
  const visitorJson = JSON.stringify({ expires_at, proof_required, session_token }).slice(1);
  return {
    shared: `({"form":"${escapeText(form)}","session":"${escapeText(sharedJson)},`,
    visitor: `${escapeText(visitorJson)}"});\n`,
  };
}

/** Escapes a text for a string of a script, also one inside an HTML page. */
const escapeText = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(
      /[<\u2028\u2029]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

/**
 * Resolves to undefined after an error or a timeout. The request continues, and its result is
 * cached for the next page.
 */
async function withTimeout<Result>(promise: Promise<Result>): Promise<Result | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, SESSION_TIMEOUT_MS, undefined);
  });
  return await Promise.race([promise.catch(() => undefined), timeout]).finally(() =>
    clearTimeout(timer),
  );
}
