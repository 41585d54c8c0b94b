import type { EmbedForm } from '@connect-embed/contract';

/** Returns the main color of a form as `#rrggbb`; undefined if the form has none of its own. */
export function accentOf(form: EmbedForm | undefined): string | undefined {
  // In the light theme, which is the first color of `light-dark()`.
  const [, color] =
    /--connect-color-primary:light-dark\((#[\da-f]{6}),/.exec(form?.presentation?.style ?? '') ??
    [];
  return color;
}
