import type { LitElement, PropertyDeclaration } from 'lit';

/**
 * Lit's decorators as this project uses them: of TypeScript's kind, on fields.
 *
 * The build puts them in place of `lit/decorators.js`, whose other half serves another kind that
 * no browser knows yet. Tests run with Lit's own.
 */
export const property =
  (options?: PropertyDeclaration) =>
  (proto: object, name: PropertyKey): void =>
    (proto.constructor as typeof LitElement).createProperty(name, options);

/** A property that no attribute sets. */
export const state = () => property({ state: true, attribute: false });
