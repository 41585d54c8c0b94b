import { fileURLToPath } from 'node:url';

export const BROWSER_FOLDER = fileURLToPath(new URL('../browser', import.meta.url));

/** The scripts of the browser: the stand-in for Stripe.js, and its two frames. */
export const SCRIPT_NAMES = ['stripe', 'payment-fields', 'authentication-frame'] as const;

/**
 * Bundles a browser script and its imports into one classic script.
 *
 * Rolldown is loaded at the first call, so that neither the start of the sandbox nor a test without a
 * browser waits for it.
 */
export async function bundleScript(name: string): Promise<string> {
  const { rolldown } = await import('rolldown');
  await using bundle = await rolldown({ input: `${BROWSER_FOLDER}/${name}.ts` });
  const { output } = await bundle.generate({ format: 'iife', strict: true });
  return output[0].code;
}
