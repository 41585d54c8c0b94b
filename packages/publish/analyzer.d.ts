declare module '@custom-elements-manifest/analyzer' {
  import type { Package } from 'custom-elements-manifest/schema.d.ts';

  /** The TypeScript whose syntax trees `create` reads. */
  export { default as ts } from 'typescript';

  export function create(options: { modules: object[]; plugins: object[] }): Package;
}

declare module '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js' {
  export function litPlugin(): object[];
}
