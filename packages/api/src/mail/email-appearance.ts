import type { FormAppearance } from '@connect-embed/contract';
import { sql } from 'kysely';
import { findLogo, logoPath } from '../db/find-logo.ts';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import { labelColor, type ColorTheme } from '../lib/color-contrast.ts';
import { COLOR_SETTINGS, colorsOf, type ColorSettings } from '../lib/form-colors.ts';

type Accent = Pick<FormAppearance, 'accent_color' | 'accent_color_dark'>;

/** Logo and color of the organization in its emails. */
export interface EmailAppearance {
  /** The logo as a path on this service, with its size in pixels, if all mail programs show it. */
  logo?: { path: string; width: number; height: number } | undefined;
  accent?: Accent | undefined;
}

/**
 * Loads the appearance of an organization’s emails. The accent color is that of the form through which the donor gave;
 * if that is not a form of the dashboard, it is that of the form that was published last.
 */
export async function loadEmailAppearance(
  db: Db,
  organizationId: string,
  formId: string | null,
): Promise<EmailAppearance> {
  const [logo, form] = await Promise.all([
    findLogo(db, organizationId),
    forOrganization(db, organizationId)
      .selectFrom('form')
      .innerJoin('form_version as live', (join) =>
        join.onRef('live.form_id', '=', 'form.id').onRef('live.version', '=', 'form.live_version'),
      )
      .select(sql<Accent | null>`live.settings -> 'appearance'`.as('accent'))
      .orderBy((eb) => eb('form.id', '=', formId ?? ''), 'desc')
      .orderBy('live.published_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  return {
    // Outlook for Windows shows a broken image instead of WebP.
    logo:
      logo && logo.media_type !== 'image/webp'
        ? { path: logoPath(organizationId, logo), width: logo.width, height: logo.height }
        : undefined,
    accent: form?.accent ?? undefined,
  };
}

const NO_COLORS = Object.fromEntries(
  COLOR_SETTINGS.map(({ name }) => [name, null]),
) as ColorSettings;

/** Returns the accent color for a theme of emails, with the color of texts on it, both as `#rrggbb`. */
export function accentColors({ accent: settings }: EmailAppearance, theme: ColorTheme) {
  const { accent_color = null, accent_color_dark = null } = settings ?? {};
  const { accent } = colorsOf({ ...NO_COLORS, accent_color, accent_color_dark }, theme);
  const label = labelColor(accent).to('srgb').toString({ format: 'hex', collapse: false });
  return { accent, label };
}
