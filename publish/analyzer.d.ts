declare module '@custom-elements-manifest/analyzer/cli.js' {
  import type { Package } from 'custom-elements-manifest/schema.d.ts';

  /** Runs the analyzer's command; `noWrite` answers and leaves the file as it is. */
  export function cli(run: { argv: string[]; cwd: string; noWrite?: boolean }): Promise<Package>;
}
