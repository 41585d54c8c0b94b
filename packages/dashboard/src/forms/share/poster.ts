import { readFileSync } from 'node:fs';
import { notFound } from '@connect-embed/contract';
import { html } from 'hono/html';
import { contentHash } from '@connect-embed/api/lib/content-hash';
import { findLogo, logoPath } from '@connect-embed/api/db/find-logo';
import type { Deps } from '../../pages/deps.ts';
import { page } from '@connect-embed/api/http/page-shell';
import type { DashboardContext } from '../../pages/env.ts';
import { formPath } from '../form-in-path.ts';
import { allowScript, FORMS_SCRIPT_PATH } from '../../pages/script.ts';
import { qrCodeDataUrl } from './qr-code.ts';
import { loadSharing } from './shared-form.ts';

export const POSTER_STYLE = readFileSync(new URL('poster.css', import.meta.url), 'utf8');
export const POSTER_STYLE_PATH = `/pages/poster-${contentHash(POSTER_STYLE)}.css`;

/**
 * Renders a page to print on A4 or Letter paper: the QR code of a form's link with its title and the
 * organization.
 *
 * @throws {ConnectError} `not_found` for a draft, or without a server that shows it
 */
export async function renderPoster(c: DashboardContext, deps: Deps) {
  const sharing = await loadSharing(c, deps);
  if (!sharing.server) throw notFound('poster', c.req.param('id') ?? '');
  const { organizationId, organizationName: name } = c.var.organization;
  const logo = await findLogo(deps.db, organizationId);
  const title = sharing.title ?? `Give to ${name}`;
  allowScript(c, deps);
  return c.html(
    page(
      `Poster: ${title}`,
      html`<nav aria-label="Poster">
          <a href="${formPath(c, `/share${sharing.link.query}`)}">Back</a>
          <button type="button" data-print hidden>Print</button>
          <span>A4 or Letter, portrait. Print a test and scan it before you print many.</span>
        </nav>
        <main>
          <p class="organization">
            ${logo ? html`<img src="${logoPath(organizationId, logo)}" alt="" />` : ''}
            <span dir="auto">${name}</span>
          </p>
          <h1 dir="auto">${title}</h1>
          <figure>
            <img src="${qrCodeDataUrl(sharing.link.url)}" alt="QR code with the link" />
            <figcaption>Scan to give</figcaption>
          </figure>
          <p class="address">${shortAddress(sharing.server, sharing.form.slug)}</p>
        </main>
        <script type="module" src="${FORMS_SCRIPT_PATH}"></script>`,
      POSTER_STYLE_PATH,
    ),
  );
}

/** The address as people type it: without the scheme. Browsers add it. */
const shortAddress = (server: string, slug: string) =>
  `${server.replace(/^https?:\/\//, '')}/give/${slug}`;
