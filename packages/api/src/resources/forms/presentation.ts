import type { FormAppearance, FormPresentation, FormSettings } from '@connect-embed/contract';
import type { ColorRole } from '../../lib/color-contrast.ts';
import { COLOR_SETTINGS, colorsOf } from '../../lib/form-colors.ts';

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
    // The keys of the element's messages: `packages/locales/en.json`.
    messages: withoutEmpty({
      title: texts.heading,
      intro: texts.intro,
      giveAny: texts.button,
      thanksNote: texts.thank_you,
    }),
    style: styleOf(appearance),
    accent_color: appearance.accent_color,
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

/** Returns the CSS declarations of an appearance. */
function styleOf(appearance: FormAppearance): string {
  const [light, dark] = [colorsOf(appearance, 'light'), colorsOf(appearance, 'dark')];
  const color = (role: ColorRole) =>
    COLOR_SETTINGS.some((setting) => setting.role === role && appearance[setting.name])
      ? `light-dark(${light[role]},${dark[role]})`
      : null;
  const declarations = withoutEmpty({
    '--connect-color-primary': color('accent'),
    '--connect-color-background': color('background'),
    '--connect-color-text': color('text'),
    '--connect-border-radius': RADII[appearance.corners],
    '--connect-font-family': FONTS[appearance.font],
  });
  return Object.entries(declarations)
    .map((declaration) => declaration.join(':'))
    .join(';');
}

const withoutEmpty = (values: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
