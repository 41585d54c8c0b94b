import type { LitElement, PropertyDeclaration } from 'lit';

/**
 * Replaces `lit/decorators.js` in the build: legacy TypeScript decorators
 * (`experimentalDecorators`) on fields.
 *
 * Lit's own module also supports standard decorators, which this project does not use, so that code
 * would only add bytes. Tests use Lit's own module.
 */
export const property =
  (options?: PropertyDeclaration) =>
  (proto: object, name: PropertyKey): void =>
    (proto.constructor as typeof LitElement).createProperty(name, options);

/** Declares internal reactive state, which no attribute sets. */
export const state = () => property({ state: true, attribute: false });
