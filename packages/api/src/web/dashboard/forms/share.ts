import { notFound } from '@connect-embed/contract';
import { html } from 'hono/html';
import { renderSVG } from 'uqr';
import type { FormRow } from '../../../resources/forms/edit-form.ts';
import type { Deps } from '../../deps.ts';
import type { Html } from '../../../lib/html.ts';
import type { DashboardContext } from '../env.ts';
import { formPath, loadForm } from './form-in-path.ts';

/** Renders the code for websites, the link and the QR code of a published form. */
export function shareSection(
  c: DashboardContext,
  { serverBaseUrl }: Pick<Deps, 'serverBaseUrl'>,
  { slug }: FormRow,
): Html {
  if (!serverBaseUrl) {
    return html`<section class="panel" aria-labelledby="share">
      <h2 id="share">Share</h2>
      <p>
        The code for your website needs the address of your server. Set it in
        <code>SERVER_BASE_URL</code> where this service is started.
      </p>
    </section>`;
  }
  const link = linkOf(serverBaseUrl, slug);
  return html`<section class="panel" aria-labelledby="share">
    <h2 id="share">Share</h2>
    ${copyField({
      id: 'snippet',
      label: 'Code for your website',
      hint: 'Paste it where the form should appear. It always shows the published version.',
      text: snippet(serverBaseUrl, slug),
      rows: 2,
    })}
    ${copyField({
      id: 'frame',
      label: 'Code for site builders that accept no scripts',
      hint: 'It shows the form in a frame.',
      text: frameSnippet(link),
      rows: 3,
    })}
    ${copyField({ id: 'link', label: 'Link', hint: 'For emails and social media.', text: link, rows: 1 })}
    <div class="field">
      <span class="label">QR code</span>
      <img class="qr" src="${dataUrl(link)}" alt="QR code with the link" width="160" height="160" />
      <a href="${formPath(c, '/qr.svg')}" download="${slug}.svg">Download QR code</a>
    </div>
  </section>`;
}

/** Downloads the QR code of a published form as a file. */
export async function downloadQrCode(c: DashboardContext, deps: Deps) {
  const { slug, status } = await loadForm(c, deps);
  if (!deps.serverBaseUrl || status === 'draft') throw notFound('QR code', slug);
  return c.body(qrCode(linkOf(deps.serverBaseUrl, slug)), 200, {
    'Content-Type': 'image/svg+xml',
    'Content-Disposition': `attachment; filename="${slug}.svg"`,
  });
}

const linkOf = (server: string, slug: string) => `${server}/embed/${slug}`;

const snippet = (server: string, slug: string) =>
  `<script type="module" src="${server}/connect.js"></script>\n<connect-donate form="${slug}"></connect-donate>`;

const frameSnippet = (link: string) =>
  `<iframe src="${link}" title="Donate" allow="payment" width="100%" height="1400" style="display: block; border: 0"></iframe>`;

const qrCode = (text: string) => renderSVG(text, { ecc: 'M', border: 4 });

const dataUrl = (text: string) => `data:image/svg+xml,${encodeURIComponent(qrCode(text))}`;

interface CopyField {
  id: string;
  label: string;
  hint: string;
  text: string;
  rows: number;
}

/** Renders a text to copy. The button appears if the page's script runs. */
const copyField = ({ id, label, hint, text, rows }: CopyField): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <div class="copy">
      <textarea id="${id}" readonly rows="${rows}" aria-describedby="${id}-hint">${text}</textarea>
      <button type="button" class="secondary" data-copy="${id}" hidden>Copy</button>
    </div>
    <span id="${id}-hint" class="small muted">${hint}</span>
  </div>`;
