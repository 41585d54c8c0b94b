import type { EmbedForm } from '@connect-embed/contract';

/** Returns the main color of a form as `#rrggbb`; undefined if the form has none of its own. */
export function accentOf(form: EmbedForm | undefined): string | undefined {
  const { appearance } = (form ?? {}) as { appearance?: { color_primary?: unknown } | null };
  const color = appearance?.color_primary;
  return typeof color === 'string' && /^#[\da-f]{6}$/i.test(color) ? color : undefined;
}
