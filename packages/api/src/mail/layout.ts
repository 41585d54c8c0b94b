import { html } from 'hono/html';
import type { Translator } from '@connect-embed/locales';
import type { Html } from '../lib/html.ts';
import type { EmailContent } from './email-content.ts';
import { accentColors, type EmailAppearance } from './email-appearance.ts';

/** Email clients support tables and `style` attributes, but not much else of HTML and CSS. */
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";
const TEXT = `margin:0 0 16px;${FONT};font-size:16px;line-height:1.5;color:#1c2328`;
const QUIET = `margin:0 0 8px;${FONT};font-size:13px;line-height:1.5;color:#5a646b`;
/** A paragraph in another language than the email has the direction of that language. Values in it are isolated. */
const OWN_DIRECTION = 'unicode-bidi:plaintext';
/** Mail programs show the first text of an email in their lists, also if it is hidden. */
const HIDDEN = 'display:none;max-height:0;overflow:hidden';
const BUTTON = `display:inline-block;padding:12px 20px;${FONT};font-size:16px;font-weight:600;border-radius:10px;text-decoration:none`;

/** Who sends an email, and the appearance of the email. */
export interface Sender {
  name: string;
  appearance?: EmailAppearance | undefined;
  /** Public URL of this service, where the logo is. */
  baseUrl?: string;
}

/**
 * Renders the HTML version of an email, without scripts. The only external resource is the logo of the organization,
 * at the same URL for all donors. Nothing is lost if it is not shown.
 */
export const renderHtml = (
  content: EmailContent,
  sender: Sender,
  translator: Pick<Translator, 'language' | 'direction'>,
): Html => {
  const { subject, preview, footer } = content;
  const { language, direction } = translator;
  const start = startOf(direction);
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        ${styleOf(sender.appearance)}
      </head>
      <body class="page" style="margin:0;padding:24px 12px;background:#f3f5f4">
        ${preview && html`<div style="${HIDDEN}" aria-hidden="true">${preview}</div>`}
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
          <tr>
            <td align="center">
              ${cardOf(content, sender, direction)}
              <div class="footer" style="max-width:504px;padding:16px 28px;text-align:${start}">
                ${footer.map((text) => html`<p dir="auto" class="quiet" style="${QUIET};${OWN_DIRECTION};text-align:${start}">${linesOf(text)}</p>`)}
              </div>
            </td>
          </tr>
        </table>
      </body>
    </html>`;
};

/**
 * The dark theme, and smaller margins on phones. Mail programs that do not support media queries show the rest, or
 * darken it themselves. Most logos are made for a white background.
 */
const styleOf = (appearance: EmailAppearance = {}) => {
  const { accent, label } = accentColors(appearance, 'dark');
  return html`<style>
    :root {
      color-scheme: light dark;
    }
    @media (max-width: 420px) {
      .page {
        padding: 8px !important;
      }
      .content {
        padding: 24px 20px 16px !important;
      }
      .footer {
        padding: 16px 20px !important;
      }
      .line {
        font-size: 14px !important;
      }
    }
    @media (prefers-color-scheme: dark) {
      .page {
        background: #0e1113 !important;
      }
      .card {
        background: #171b1f !important;
        border-color: #2e363c !important;
      }
      .text {
        color: #eef2f4 !important;
      }
      .quiet {
        color: #a7b1b8 !important;
      }
      .line {
        border-color: #2e363c !important;
      }
      .accent {
        background: ${accent} !important;
        color: ${label} !important;
      }
      .logo {
        padding: 6px 8px;
        background: #ffffff;
        border-radius: 8px;
      }
    }
  </style>`;
};

/** Returns the side of the email at which lines start. */
const startOf = (direction: Translator['direction']) => (direction === 'rtl' ? 'right' : 'left');

/** Renders the line breaks of a text as elements, because Outlook for Windows ignores `white-space`. */
const linesOf = (text: string) =>
  text.split('\n').map((line, nth) => (nth === 0 ? line : html`<br />${line}`));

/** The white card with the logo and name of the sender, the text, the table and the button. */
const cardOf = (
  { paragraphs, rows, action }: EmailContent,
  sender: Sender,
  direction: Translator['direction'],
) => {
  const start = startOf(direction);
  const { accent, label } = accentColors(sender.appearance ?? {}, 'light');
  const accentStyle = `background:${accent};color:${label}`;
  return html`<table
    role="presentation"
    dir="${direction}"
    cellpadding="0"
    cellspacing="0"
    class="card"
    style="width:100%;max-width:560px;background:#ffffff;border:1px solid #dfe3e4;border-radius:12px;overflow:hidden"
  >
    <tr>
      <td class="accent" style="height:8px;font-size:0;line-height:0;${accentStyle}">&nbsp;</td>
    </tr>
    <tr>
      <td class="content" style="padding:28px 28px 20px;text-align:${start}">
        ${logoOf(sender)}
        <h1
          class="text"
          style="margin:0 0 20px;${FONT};font-size:20px;line-height:1.3;color:#1c2328"
        >
          ${sender.name}
        </h1>
        ${paragraphs.map((text) => html`<p dir="auto" class="text" style="${TEXT};${OWN_DIRECTION};text-align:${start}">${linesOf(text)}</p>`)}
        ${rows.length ? rowsOf(rows, start) : ''} ${action ? actionOf(action, accentStyle) : ''}
      </td>
    </tr>
  </table>`;
};

const MAX_LOGO = { width: 200, height: 48 };

/** The logo of the sender. Its text is empty, because the name follows. */
const logoOf = ({ appearance, baseUrl }: Sender) => {
  const { logo } = appearance ?? {};
  if (!logo || !baseUrl) return '';
  const scale = Math.min(1, MAX_LOGO.width / logo.width, MAX_LOGO.height / logo.height);
  const [width, height] = [logo.width, logo.height].map((side) => Math.round(side * scale));
  return html`<img
    class="logo"
    src="${baseUrl}${logo.path}"
    width="${width}"
    height="${height}"
    alt=""
    style="display:block;margin:0 0 12px;border:0"
  />`;
};

const CELL = `padding:10px 0;border-top:1px solid #e5e8e9;${FONT};font-size:15px;line-height:1.5;vertical-align:top`;

const rowsOf = (rows: EmailContent['rows'], start: string) =>
  html`<table cellpadding="0" cellspacing="0" style="width:100%;margin:4px 0 20px">
    ${rows.map(
      ([name, value]) =>
        html`<tr>
          <th
            scope="row"
            class="quiet line"
            style="${CELL};padding-inline-end:16px;font-weight:400;color:#5a646b;text-align:${start}"
          >
            ${name}
          </th>
          <td class="text line" style="${CELL};font-weight:600;color:#1c2328;text-align:${start}">
            <bdi>${value}</bdi>
          </td>
        </tr>`,
    )}
  </table>`;

const actionOf = ({ text, url, note }: NonNullable<EmailContent['action']>, accentStyle: string) =>
  html`<p style="margin:8px 0 12px">
      <a href="${url}" class="accent" style="${BUTTON};${accentStyle}">${text}</a>
    </p>
    <p class="quiet" style="${QUIET}">${note}</p>`;
