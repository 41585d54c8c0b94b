import { html } from 'hono/html';
import type { FormRow } from '@connect-embed/api/resources/forms/edit-form';
import type { Html } from '@connect-embed/api/lib/html';
import type { Deps } from '../../pages/deps.ts';
import { PLUGIN_PATH, siteBuilderLinks } from '../../help/site-builders.ts';
import { copyField } from '../../pages/copy-field.ts';
import type { DashboardContext } from '../../pages/env.ts';
import { findOwnServer } from '@connect-embed/api/db/own-server';
import { fieldsView } from '../../pages/form.ts';
import { organizationPath, renderPage } from '../../pages/render-page.ts';
import { goalSection } from './goal-section.ts';
import { formPath } from '../form-in-path.ts';
import { allowScript, FORMS_SCRIPT_PATH } from '../../pages/script.ts';
import { linkFields } from './donation-link.ts';
import { qrCodeDataUrl } from './qr-code.ts';
import { loadSharing, type Sharing } from './shared-form.ts';
import { frameSnippet, snippet } from './snippets.ts';

/** Renders the page with all ways to share a published form. */
export async function renderSharePage(c: DashboardContext, deps: Deps) {
  const sharing = await loadSharing(c, deps);
  allowScript(c, deps);
  const campaignId = sharing.form?.terms.campaign_id;
  const sections = sharing.server
    ? html`${sharing.row.status === 'closed' ? closedNotice() : ''} ${linkSection(c, sharing)}
      ${builderSection(c, sharing)} ${qrSection(c, sharing)} ${websiteSection(c, sharing)}
      ${campaignId ? await goalSection(c, deps, campaignId) : ''}`
    : withoutOwnServer(c, deps, sharing.row);
  return renderPage(c, {
    title: `Share ${sharing.row.name}`,
    backLink: { href: formPath(c), text: 'Form' },
    content: html`${sections}
      <script type="module" src="${FORMS_SCRIPT_PATH}"></script>`,
    ...(sharing.server && sharing.link.fields.hasErrors && { status: 400 }),
  });
}

/** Renders the most used ways to share, for the page of a form. */
export async function shareSummary(c: DashboardContext, deps: Deps, row: FormRow): Promise<Html> {
  const server = await findOwnServer(deps, c.var.organization.organizationId);
  if (!server) return withoutOwnServer(c, deps, row);
  const address = `${server}/give/${row.slug}`;
  return html`<section class="panel" aria-labelledby="share">
    <h2 id="share">Share</h2>
    ${copyField({ id: 'link', label: 'Link', hint: 'The form’s own page. Its address never changes.', text: address })}
    ${snippetField(server, row)}
    <div class="buttons">
      <a class="button secondary" href="${formPath(c, '/share')}">More ways to share</a>
      <a href="${address}" target="_blank" rel="noopener">Open page</a>
    </div>
  </section>`;
}

/** Renders what is possible without a server that shows the forms of this organization. */
const withoutOwnServer = (c: DashboardContext, { serverBaseUrl: server }: Deps, row: FormRow) =>
  server ? platformSection(c, server, row) : serverMissing();

/** Renders the code for a platform, whose pages name the organization with the form. */
function platformSection(c: DashboardContext, server: string, row: FormRow) {
  const name = `${c.var.organization.organizationId}/${row.slug}`;
  return html`<section class="panel" aria-labelledby="share">
    <h2 id="share">Share</h2>
    <p>
      This form has no link, QR code or poster here, because the server at
      <code>${server}</code> belongs to another organization. If it is yours, set its key in
      <code>SERVER_API_KEY</code> where this service is started.
    </p>
    ${copyField({
      id: 'snippet',
      label: 'Code for a platform',
      hint: `A platform to which your organization is connected shows your form with this code. On the platform’s server, the form’s own page is /give/${name}`,
      text: snippet(server, row, name),
      rows: 2,
    })}
  </section>`;
}

const serverMissing = () =>
  html`<section class="panel" aria-labelledby="share">
    <h2 id="share">Share</h2>
    <p>
      Links and the code for your website need the address of your server. Set it in
      <code>SERVER_BASE_URL</code> where this service is started.
    </p>
  </section>`;

const closedNotice = () =>
  html`<p class="notice">
    This form is closed. Its page says so and refers to your other forms, website and email address.
  </p>`;

const snippetField = (server: string, row: FormRow) =>
  copyField({
    id: 'snippet',
    label: 'Code for your website',
    hint: 'Paste it where the form should appear. It always shows the published version.',
    text: snippet(server, row),
    rows: 2,
  });

function linkSection(c: DashboardContext, { form, server, title }: Sharing) {
  const address = `${server}/give/${form.slug}`;
  const text = title ?? `Give to ${c.var.organization.organizationName}`;
  return html`<section class="panel" aria-labelledby="link-title">
    <h2 id="link-title">Donation page</h2>
    ${copyField({
      id: 'link',
      label: 'Link',
      hint: 'For emails, letters and social media. The address never changes.',
      text: address,
    })}
    <div class="buttons">
      <a class="button secondary" href="${address}" target="_blank" rel="noopener">Open page</a>
      <a href="${formPath(c, '/edit')}#page_title">Edit title, picture and story</a>
    </div>
    <div class="field">
      <span class="label" id="networks">Share on</span>
      <ul class="plain share-links" aria-labelledby="networks">
        ${networkLinks(address, text).map(
          ({ name, href }) =>
            html`<li><a href="${href}" target="_blank" rel="noopener noreferrer">${name}</a></li>`,
        )}
      </ul>
    </div>
  </section>`;
}

/** Links that open a new post or message with the address. They load nothing from the networks here. */
function networkLinks(address: string, text: string): { name: string; href: string }[] {
  const url = encodeURIComponent(address);
  const title = encodeURIComponent(text);
  return [
    { name: 'Email', href: `mailto:?subject=${title}&body=${url}` },
    { name: 'WhatsApp', href: `https://wa.me/?text=${title}%20${url}` },
    { name: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${url}` },
    { name: 'LinkedIn', href: `https://www.linkedin.com/sharing/share-offsite/?url=${url}` },
    { name: 'X', href: `https://x.com/intent/post?text=${title}&url=${url}` },
    { name: 'Bluesky', href: `https://bsky.app/intent/compose?text=${title}%20${url}` },
  ];
}

/** Renders the form that builds a link. It is sent with GET, so its result can be bookmarked. */
const builderSection = (c: DashboardContext, { form, link }: Sharing) =>
  html`<form
    class="panel"
    method="get"
    action="${formPath(c, '/share')}#builder"
    id="builder"
    novalidate
  >
    <h2>Link with an amount</h2>
    <p class="muted">The link opens the page with these values selected. Donors can change them.</p>
    ${fieldsView(linkFields(form), link.fields)}
    ${
      link.isCustom
        ? copyField({ id: 'custom-link', label: 'Link with these values', text: link.url })
        : ''
    }
    <div class="buttons">
      <button class="secondary">Create link</button>
      ${link.isCustom ? html`<a href="${formPath(c, '/share')}#builder">Clear</a>` : ''}
    </div>
  </form>`;

const qrSection = (c: DashboardContext, { form, link }: Sharing) =>
  html`<section class="panel" aria-labelledby="qr-title">
    <h2 id="qr-title">QR code and poster</h2>
    <p class="muted">
      ${
        link.isCustom
          ? 'The code opens the link with the values above.'
          : 'The code opens the donation page. Create a link above to select an amount.'
      }
    </p>
    <div class="qr-row">
      <img
        class="qr"
        src="${qrCodeDataUrl(link.url)}"
        alt="QR code with the link"
        width="160"
        height="160"
      />
      <ul class="plain">
        <li>
          <a href="${formPath(c, `/poster${link.query}`)}" target="_blank">Poster to print</a>
        </li>
        <li>
          <a href="${formPath(c, `/qr.png${link.query}`)}" download="${form.slug}.png"
            >Download as PNG</a
          >
        </li>
        <li>
          <a href="${formPath(c, `/qr.svg${link.query}`)}" download="${form.slug}.svg"
            >Download as SVG</a
          >
        </li>
      </ul>
    </div>
  </section>`;

function websiteSection(c: DashboardContext, { row, form, server }: Sharing) {
  return html`<section class="panel" aria-labelledby="website-title">
    <h2 id="website-title">Your website</h2>
    ${snippetField(server, row)}
    ${copyField({
      id: 'frame',
      label: 'Code for site builders that accept no scripts',
      hint: 'It shows the form in a frame.',
      text: frameSnippet(server, form.slug),
      rows: 3,
    })}
    <p>
      Only websites under <a href="${organizationPath(c, '/allowed-sites')}">Allowed sites</a> can
      show the form.
    </p>
    <div class="field">
      <span class="label">Step by step, for your website</span>
      ${siteBuilderLinks(form.slug)}
    </div>
    <p>For WordPress there is <a href="${PLUGIN_PATH}">a plugin to install</a>, a zip file.</p>
  </section>`;
}
