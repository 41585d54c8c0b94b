import type { Context } from 'hono';
import type { Deps } from '../env.ts';
import { parseFormName } from '../platform/form-name.ts';
import { sendSharedBody } from '../shared-body.ts';
import { FORM_CACHE_CONTROL } from './embed-form.ts';

/**
 * Longest wait for the form. After a longer wait the plain script is better: it shows an outline of the
 * form while it requests the form itself.
 */
const FORM_TIMEOUT_MS = 500;

/** Value of the `Vary` header: the response depends on the origin of the requesting page. */
export const VARY = 'Origin, Sec-Fetch-Site, Accept-Encoding';

/**
 * `GET /connect.js?form=meals` from an allowed page: script and form in one response.
 * docs/decisions/0014-element-bundles.md
 *
 * @param folder of a version, with a final slash
 * @returns undefined if the plain script must be served, which requests the form itself and reports
 * errors
 */
export async function sendScriptWithForm(c: Context, form: string, folder: string, deps: Deps) {
  const { allowedOrigins, config, publicForms } = deps;
  const { organization } = parseFormName(form);
  // Without the API the plain script is served, which reports the error.
  const origin = await allowedOrigins.ofRequest(c.req, organization).catch(() => undefined);
  const script = origin && (await config.scripts?.find(`${folder}with-form.js`));
  if (!script) return undefined;
  const body = await withTimeout(publicForms.getScript(form, script));
  return body && sendSharedBody(c, body, { cacheControl: FORM_CACHE_CONTROL, vary: VARY });
}

/**
 * Resolves to undefined after an error or a timeout. The request continues, and its result is
 * cached for the next page.
 */
async function withTimeout<Result>(promise: Promise<Result>): Promise<Result | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, FORM_TIMEOUT_MS, undefined);
  });
  return await Promise.race([promise.catch(() => undefined), timeout]).finally(() =>
    clearTimeout(timer),
  );
}
