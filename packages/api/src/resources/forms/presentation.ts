import type { FormAppearance, FormPresentation, FormSettings } from '@connect-embed/contract';
import { readableAccent } from './accent.ts';

/** Values of `--connect-border-radius`. */
const RADII = { square: '0px', rounded: '', round: '20px' } as const;

/**
 * Values of `--connect-font-family`: fonts that systems have, so that no font is loaded. Empty is the
 * font of the page.
 */
const FONTS = {
  page: '',
  system: 'system-ui,sans-serif',
  humanist: "Seravek,'Gill Sans Nova',Ubuntu,Calibri,'DejaVu Sans',source-sans-pro,sans-serif",
  geometric: "Avenir,Montserrat,Corbel,'URW Gothic',source-sans-pro,sans-serif",
  serif: "Charter,'Bitstream Charter','Sitka Text',Cambria,serif",
  mono: "ui-monospace,'Cascadia Code','Source Code Pro',Menlo,Consolas,'DejaVu Sans Mono',monospace",
} as const;

/**
 * Returns the settings of a form as its element applies them, with each session.
 *
 * @returns undefined if the owner has changed nothing, so that such a form costs donors no bytes
 */
export function presentationOf(settings: FormSettings): FormPresentation | undefined {
  const { display, appearance, texts, impact_texts, terms } = settings;
  const presentation: FormPresentation = {
    properties: withoutEmpty({
      // Only the page's own code can say "modal", because without its link nothing opens the form.
      display: display === 'inline' || display === 'modal' ? '' : display,
      theme: appearance.theme === 'page' ? '' : appearance.theme,
    }),
    // The keys of the element's messages: `locales/en.json`.
    messages: withoutEmpty({
      title: texts.heading,
      intro: texts.intro,
      giveAny: texts.button,
      thanksNote: texts.thank_you,
    }),
    style: styleOf(appearance),
    impact_texts,
    impact_texts_by_frequency: Object.fromEntries(
      Object.keys(terms.preset_amounts_by_frequency).map((frequency) => [
        frequency,
        settings.impact_texts_by_frequency[frequency as 'monthly'] ?? {},
      ]),
    ),
  };
  const { properties, messages, style, impact_texts_by_frequency: byFrequency } = presentation;
  const parts = [properties, messages, impact_texts, ...Object.values(byFrequency)];
  return style || parts.some((part) => Object.keys(part).length > 0) ? presentation : undefined;
}

/** The form's own accent color in the light theme: `tokens.styles.ts` of the elements. */
const DEFAULT_ACCENT = '#0b6b5b';

/** Returns the CSS declarations of an appearance. */
function styleOf({
  accent_color: accent,
  accent_color_dark,
  corners,
  font,
}: FormAppearance): string {
  const light = accent ?? (accent_color_dark && DEFAULT_ACCENT);
  const dark = accent_color_dark ?? (accent && readableAccent(accent, 'dark'));
  const declarations = withoutEmpty({
    '--connect-color-primary': light && `light-dark(${light},${dark})`,
    '--connect-border-radius': RADII[corners],
    '--connect-font-family': FONTS[font],
  });
  return Object.entries(declarations)
    .map((declaration) => declaration.join(':'))
    .join(';');
}

const withoutEmpty = (values: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
