import { html } from 'hono/html';
import type { Translator } from '@connect-embed/locales';
import type { Html } from '../lib/html.ts';
import type { EmailContent } from './email-content.ts';

/** Email clients support tables and `style` attributes, but not much else of HTML and CSS. */
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";
const TEXT = `margin:0 0 16px;${FONT};font-size:16px;line-height:1.5;color:#1c2328`;
const QUIET = `margin:0 0 8px;${FONT};font-size:13px;line-height:1.5;color:#5a646b`;
/** Mail programs show the first text of an email in their lists, also if it is hidden. */
const HIDDEN = 'display:none;max-height:0;overflow:hidden';
const BUTTON = `display:inline-block;padding:12px 20px;${FONT};font-size:16px;font-weight:600;color:#ffffff;background:#0b6b5b;border-radius:10px;text-decoration:none`;

/** Renders the HTML version of an email, without images, scripts or external resources. */
export const renderHtml = (
  content: EmailContent,
  organization: string,
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
        <meta name="color-scheme" content="light" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:24px 12px;background:#f3f5f4">
        ${preview && html`<div style="${HIDDEN}" aria-hidden="true">${preview}</div>`}
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
          <tr>
            <td align="center">
              ${cardOf(content, organization, direction)}
              <div style="max-width:560px;padding:16px 28px;text-align:${start}">
                ${footer.map((text) => html`<p dir="auto" style="${QUIET};text-align:${start}">${text}</p>`)}
              </div>
            </td>
          </tr>
        </table>
      </body>
    </html>`;
};

/** Returns the side of the email at which lines start. */
const startOf = (direction: Translator['direction']) => (direction === 'rtl' ? 'right' : 'left');

/** The white card with the text, the table and the button. */
const cardOf = (
  { paragraphs, rows, action }: EmailContent,
  organization: string,
  direction: Translator['direction'],
) => {
  const start = startOf(direction);
  return html`<table
    role="presentation"
    dir="${direction}"
    cellpadding="0"
    cellspacing="0"
    style="width:100%;max-width:560px;background:#ffffff;border:1px solid #dfe3e4;border-radius:16px"
  >
    <tr>
      <td style="padding:32px 28px;text-align:${start}">
        <h1 style="margin:0 0 20px;${FONT};font-size:20px;line-height:1.3;color:#1c2328">
          ${organization}
        </h1>
        ${paragraphs.map((text) => html`<p style="${TEXT}">${text}</p>`)}
        ${rows.length ? rowsOf(rows, start) : ''} ${action ? actionOf(action) : ''}
      </td>
    </tr>
  </table>`;
};

const CELL = `padding:10px 0;border-top:1px solid #e5e8e9;${FONT};font-size:15px;line-height:1.5;vertical-align:top`;

const rowsOf = (rows: EmailContent['rows'], start: string) =>
  html`<table cellpadding="0" cellspacing="0" style="width:100%;margin:4px 0 20px">
    ${rows.map(
      ([name, value]) =>
        html`<tr>
          <th
            scope="row"
            style="${CELL};padding-inline-end:16px;font-weight:400;color:#5a646b;text-align:${start}"
          >
            ${name}
          </th>
          <td style="${CELL};font-weight:600;color:#1c2328;text-align:${start}">
            <bdi>${value}</bdi>
          </td>
        </tr>`,
    )}
  </table>`;

const actionOf = ({ text, url, note }: NonNullable<EmailContent['action']>) =>
  html`<p style="margin:8px 0 12px"><a href="${url}" style="${BUTTON}">${text}</a></p>
    <p style="${QUIET}">${note}</p>`;
