import { STRIPE_SCRIPT } from '@connect-embed/contract/stripe-script';
import type { ResolvedConfig } from '../connect-config.ts';

/** The sandbox of a development machine, on which the API runs, too. */
const LOCAL_SANDBOX = 'http://localhost:4300';

/**
 * Returns the URL of the script with which pages take cards: Stripe's, or that of the configured sandbox.
 *
 * A page runs the script, so its URL never comes from the API. The API only says whether it uses the sandbox.
 *
 * @param ofApi `stripe_js_url` of the API
 */
export function stripeScriptOf(
  { sandboxUrl, apiBase, log }: Pick<ResolvedConfig, 'sandboxUrl' | 'apiBase' | 'log'>,
  ofApi: string,
): string {
  const isApiLocal = ['localhost', '127.0.0.1'].includes(new URL(apiBase).hostname);
  const sandbox = sandboxUrl ?? (isApiLocal ? LOCAL_SANDBOX : undefined);
  const origin = URL.parse(ofApi)?.origin;
  if (sandbox !== undefined && origin === new URL(sandbox).origin) return `${sandbox}/stripe.js`;
  if (origin !== new URL(STRIPE_SCRIPT).origin) {
    const message =
      'the API uses a sandbox that this server does not know: set SANDBOX_URL to its address';
    log.warn({ api_script: ofApi }, message);
  }
  return STRIPE_SCRIPT;
}
