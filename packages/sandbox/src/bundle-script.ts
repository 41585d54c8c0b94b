/**
 * Bundles a browser script and its imports into one classic script.
 *
 * Rolldown is loaded at the first call, so that neither the start of the sandbox nor a test without a
 * browser waits for it.
 */
export async function bundleScript(entry: string): Promise<string> {
  const { rolldown } = await import('rolldown');
  await using bundle = await rolldown({ input: entry });
  const { output } = await bundle.generate({ format: 'iife', strict: true });
  return output[0].code;
}
