import type { Context } from 'hono';
import type { Deps } from '../app.ts';
import { allowedOrigin } from '../allowed-origins.ts';
import { openFormSession } from './embed-sessions.ts';
import { chooseEncoding, type Script } from './scripts.ts';

/** Longer, and a script that draws an outline while it asks by itself is the better answer. */
const SESSION_TIMEOUT_MS = 500;

/** What such an address answers with depends on whose page asks. */
export const VARY = 'Origin, Sec-Fetch-Site, Accept-Encoding';

/**
 * `GET /connect.js?form=meals` from a page that may embed: the script, the form and the session of
 * this visitor in one answer, which is never kept. docs/decisions/0069-whole-script.md
 *
 * @param folder of a version, with a slash at the end
 * @returns undefined where the plain script has to do, which asks for itself and tells what is wrong
 */
export async function wholeScript(c: Context, form: string, folder: string, deps: Deps) {
  const origin = allowedOrigin(c.req, deps.config);
  const script = origin && (await deps.config.scripts?.find(`${folder}whole.js`));
  if (!origin || !script) return undefined;
  const session = await withTimeout(openFormSession(origin, form, deps));
  if (!session) return undefined;

  const body = new TextEncoder().encode(call(script, { form, session: JSON.stringify(session) }));
  const { compress } = deps.config.scripts!;
  const encoding = compress && chooseEncoding(c.req.header('accept-encoding') ?? '', script);
  if (encoding) c.header('Content-Encoding', encoding);
  c.header('Access-Control-Allow-Origin', origin);
  c.header('Cache-Control', 'no-store');
  c.header('Vary', VARY);
  c.header('Content-Type', script.type);
  return c.body(encoding ? await compress(body, encoding) : body);
}

/** The build leaves a function: `wholeScript` in vite.config.ts. The session is text within text. */
function call(script: Script, opened: { form: string; session: string }): string {
  const literal = JSON.stringify(opened).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${new TextDecoder().decode(script.body)}(${literal});\n`;
}

/** Undefined when it fails, or takes too long; what was begun is there for whoever asks next. */
async function withTimeout<Result>(promise: Promise<Result>): Promise<Result | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, SESSION_TIMEOUT_MS, undefined);
  });
  return await Promise.race([promise.catch(() => undefined), timeout]).finally(() =>
    clearTimeout(timer),
  );
}
