import { compile } from 'svelte/compiler';
import { build, type Plugin } from 'vite';

const svelte: Plugin = {
  name: 'svelte',
  transform: (code, id) =>
    id.endsWith('.svelte') ? compile(code, { filename: id, generate: 'client' }).js.code : null,
};

const built = new Map<string, Promise<string>>();

/** Bundles an application of `apps/`; cached after the first call. */
export function buildApp(name: string): Promise<string> {
  const code = built.get(name) ?? bundle(name);
  built.set(name, code);
  return code;
}

async function bundle(name: string): Promise<string> {
  const entry = `${import.meta.dirname}/apps/${name}.js`;
  const [result] = [
    await build({
      configFile: false,
      logLevel: 'warn',
      plugins: [svelte],
      define: { 'process.env.NODE_ENV': '"production"', ngDevMode: 'false' },
      build: {
        write: false,
        target: 'es2022',
        lib: { entry, formats: ['es'], fileName: name },
        rolldownOptions: { output: { codeSplitting: false } },
      },
    }),
  ].flat();
  if (!result || !('output' in result)) throw new Error(`${entry} gave no file.`);
  return result.output[0].code;
}
