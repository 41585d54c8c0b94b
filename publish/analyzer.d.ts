declare module '@custom-elements-manifest/analyzer/cli.js' {
  import type { Package } from 'custom-elements-manifest/schema.d.ts';

  /** Runs the analyzer; with `noWrite` it returns the manifest and writes no file. */
  export function cli(run: { argv: string[]; cwd: string; noWrite?: boolean }): Promise<Package>;
}
