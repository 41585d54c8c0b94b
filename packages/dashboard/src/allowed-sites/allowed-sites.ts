import { findSharedDomain } from '@connect-embed/contract/site-origin';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import {
  addSite,
  listSites,
  removeSite,
} from '@connect-embed/api/resources/allowed-sites/edit-sites';
import {
  listRefusedSites,
  listSiteRequests,
} from '@connect-embed/api/resources/allowed-sites/site-requests';
import type { Deps } from '../pages/deps.ts';
import { dateElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { checkbox } from '../pages/field-view.ts';
import { required, text, yesOrNo, type FieldsOf } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import {
  dismissAll,
  refusedSites,
  requestActions,
  requestsSection,
  type RefusedSite,
  type SiteRequest,
} from './site-requests.ts';
import { empty, table, type Column } from '../pages/table.ts';
import { allowedSitesPath, websiteActions } from './website-actions.ts';

type Site = Awaited<ReturnType<typeof listSites>>[number];

/** What the page shows: the list, and the websites that ask to be on it. */
interface Websites {
  sites: Site[];
  requests: SiteRequest[];
  refused: RefusedSite[];
}

interface SiteInput {
  origin: string;
  confirmed: boolean;
}

const FIELDS: FieldsOf<SiteInput> = {
  origin: required(
    text({
      label: 'Website',
      hint: 'For example https://www.example.org, or https://*.example.org for every subdomain.',
      max: 300,
    }),
    'Enter the address of your website.',
  ),
  confirmed: {
    ...yesOrNo({ label: 'Allow all websites on this domain, also those of others.' }),
    // The checkbox appears after the attempt to add a domain that is shared with others.
    render: (draft, field) =>
      draft.problems.has(field.name) || draft.value(field.name) === 'on'
        ? checkbox(draft, field)
        : html``,
  },
};

/** Dashboard page “Allowed sites”: the websites that may show the organization's forms and tables. */
export const allowedSites = (deps: Deps) => {
  const { show, submit } = sitesPage(deps);
  return new Hono<DashboardEnv>()
    .get('/', show)
    .post('/', submit)
    .post('/requests/dismiss', (c) => dismissAll(c, deps))
    .route('/requests/:id', requestActions(deps))
    .route('/:id', siteActions(deps));
};

const sitesPage = ({ db }: Deps) =>
  formPage<Websites, SiteInput>({
    load: async ({ var: { organization } }) => ({
      sites: await listSites(db, organization.organizationId),
      requests: await listSiteRequests(db, organization.organizationId),
      refused: await listRefusedSites(db, organization.organizationId),
    }),
    title: () => 'Allowed sites',
    action: (_, c) => allowedSitesPath(c),
    fields: () => FIELDS,
    values: () => ({}),
    submitLabel: 'Add website',
    save: async ({ origin, confirmed }, _, c) => {
      const { organizationId } = c.var.organization;
      const added = await addSite(db, organizationId, origin, { confirmed });
      return {
        path: allowedSitesPath(c),
        success: `${added} can show your forms within a minute.`,
      };
    },
    content: (form, { sites, requests, refused }, c) =>
      html`<p class="muted">
          Only these websites can show your forms and tables. Apple Pay and Google Pay are set up
          for them as well.
        </p>
        ${requestsSection(requests, c)} ${refusedSites(refused, c)}
        ${sites.length > 0 ? table('Websites', columns(c), sites) : empty('No websites yet.')}
        ${form} ${explanation}`,
  });

const columns = (c: DashboardContext): Column<Site>[] => [
  {
    head: 'Website',
    as: 'rowHeader',
    cell: ({ origin }) => html`${origin}${sharedDomainNote(origin)}`,
  },
  {
    head: 'Added on',
    cell: ({ created_at }) => dateElement(created_at, c.var.organization.timeZone),
  },
  {
    head: 'Action',
    as: 'muted',
    cell: ({ id, origin }) =>
      html`<form method="post" action="${allowedSitesPath(c)}/${id}/remove">
        <button class="secondary">Remove<span class="hidden"> ${origin}</span></button>
      </form>`,
  },
];

/** Warns of an entry that allows the websites of others. */
function sharedDomainNote(origin: string): Html {
  const shared = findSharedDomain(origin);
  return shared
    ? html`<br /><span class="small muted">
          Allows every website on ${shared.domain}, not only yours. Better add your own address.
        </span>`
    : html``;
}

const explanation = html`<section class="panel" aria-labelledby="site-help">
  <h2 id="site-help">Which address to add</h2>
  <div class="text">
    <p>
      Add the address in the browser’s address bar of each page that shows a form, without what
      follows the domain. With and without <code>www.</code> are two addresses.
    </p>
    <p>
      <strong>Site builders</strong> show your draft on an address of their own. Add it too while
      you work on your page, for example <code>https://your-name.webflow.io</code>,
      <code>https://your-name.squarespace.com</code>, <code>https://your-name.wixsite.com</code>,
      <code>https://your-store.myshopify.com</code> or <code>https://your-name.ghost.io</code>. The
      <a href="/help/site-builders">guides for site builders</a> show each step.
    </p>
    <p>
      <strong>On your computer</strong>, add <code>http://localhost</code> with the port of your
      page, for example <code>http://localhost:3000</code>. A page that is opened as a file cannot
      show a form.
    </p>
  </div>
</section>`;

const siteActions = (deps: Deps) =>
  websiteActions(deps, 'allowed_site', 'This website is not on the list any more.', {
    remove: {
      run: ({ id }, c) => removeSite(deps.db, c.var.organization.organizationId, id),
      success: ({ origin }) =>
        `${origin} was removed. Forms on it stop within a minute; forms in a frame, within an hour.`,
    },
  });
