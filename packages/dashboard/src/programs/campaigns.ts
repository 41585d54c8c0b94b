import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Deps } from '../pages/deps.ts';
import {
  createCampaign,
  findCampaign,
  updateCampaign,
  type CampaignInput,
  type CampaignRow,
} from '@connect-embed/api/resources/catalogue/campaigns';
import { loadCampaignTotals, loadRaisedCents } from '@connect-embed/api/resources/catalogue/raised';
import { readPage } from '@connect-embed/api/resources/lists/page';
import type { Html } from '@connect-embed/api/lib/html';
import type { MembershipWithSettings } from '@connect-embed/api/users/membership';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { goalSection } from '../forms/share/goal-section.ts';
import { catalogue, type CatalogueList, type CatalogueType } from './catalogue.ts';
import { calendarDateElement } from '../pages/dashboard-layout.ts';
import { donationColumns, selectDonationRows } from '../donations/donation-table.ts';
import {
  date,
  money,
  multilineText,
  required,
  text,
  urlName,
  yesOrNo,
} from '../pages/field-types.ts';
import { badge, empty, facts, figures, table } from '../pages/table.ts';

/** A campaign with the amount raised for it, in the organization's currency. */
type Campaign = CampaignRow & { raised_cents: number };

const stateOf = ({ archived_at, is_active }: CampaignRow) => {
  if (archived_at) return badge('Archived', 'neutral');
  return is_active ? badge('Active', 'positive') : badge('Inactive', 'neutral');
};
const goalOf = ({ goal_cents }: CampaignRow, currency: string) =>
  goal_cents === null ? null : formatMoney(goal_cents, currency, LOCALE);
const dayOrNone = (date: Date | null) => date && calendarDateElement(date);

/** Formats the amount raised, net of refunds and disputes, as on the public progress bar. */
const raisedOf = ({ raised_cents }: Campaign, currency: string) =>
  formatMoney(raised_cents, currency, LOCALE);

/**
 * Renders the progress towards the goal as a bar and a percentage. Returns null for a campaign
 * without a goal.
 */
const progressOf = ({ name, raised_cents, goal_cents }: Campaign) => {
  if (!goal_cents) return null;
  const percent = Math.floor((raised_cents / goal_cents) * 100);
  return html`<progress
      class="meter"
      max="${goal_cents}"
      value="${Math.min(raised_cents, goal_cents)}"
      aria-label="Progress of ${name}"
    >
      ${percent}%</progress
    ><span class="small muted">${percent}%</span>`;
};

const CAMPAIGNS: CatalogueType<CampaignRow, CampaignInput> & CatalogueList<Campaign> = {
  table: 'campaign',
  title: 'Campaigns',
  description:
    'Fundraising campaigns with a goal and dates. Donations and events can belong to a campaign.',
  initialValues: { is_active: true },
  columns: (path, { currency }) => [
    {
      head: 'Campaign',
      as: 'rowHeader',
      cell: ({ id, name }) => html`<a href="${path}/${id}">${name}</a>`,
    },
    { head: 'Status', cell: stateOf },
    { head: 'Start date', cell: ({ start_date }) => dayOrNone(start_date) },
    { head: 'End date', cell: ({ end_date }) => dayOrNone(end_date) },
    {
      head: 'Raised',
      as: 'number',
      cell: (row) =>
        html`${raisedOf(row, currency)}${
          row.goal_cents
            ? html`<br /><span class="small muted">of ${goalOf(row, currency)}</span>`
            : ''
        }`,
    },
    { head: 'Progress', cell: (row) => progressOf(row) },
  ],
  fields: ({ currency }) => ({
    name: required(text({ label: 'Name', max: 100 })),
    slug: urlName({ source: 'name' }),
    description: multilineText({ label: 'Description' }),
    goal_cents: money({ label: 'Goal', currency, min: 1 }),
    start_date: date({ label: 'Start date', half: true }),
    end_date: date({ label: 'End date', half: true }),
    is_active: yesOrNo({
      label: 'Active',
      hint: 'It accepts donations, until the end of its last day.',
    }),
  }),
  check: ({ start_date, end_date }, form) => {
    if (start_date && end_date && end_date < start_date)
      form.addError('end_date', 'Must not be before the start date.');
  },
  summary: campaignSummary,
  websiteSection: goalSection,
  facts: (row, { currency }) =>
    html`<div class="panel">
      ${facts([
        ['Status', stateOf(row)],
        ['Start date', dayOrNone(row.start_date)],
        ['End date', dayOrNone(row.end_date)],
        ['Goal', goalOf(row, currency)],
        ['URL name', row.slug],
        ['Description', row.description],
      ])}
    </div>`,
  list: async ({ db, cursorEncrypter }, page, archived) => {
    const rows = forOrganization(db, page.organizationId)
      .selectFrom('campaign')
      .selectAll('campaign');
    const query = rows.where('campaign.archived_at', archived ? 'is not' : 'is', null);
    const list = await readPage(cursorEncrypter, page, query, (row) => row);
    const ids = list.data.map(({ id }) => id);
    const raised = await loadRaisedCents(db, page.organizationId, ids);
    const data = list.data.map((row) => ({ ...row, raised_cents: raised.get(row.id) ?? 0 }));
    return { ...list, data };
  },
  find: findCampaign,
  create: createCampaign,
  update: updateCampaign,
};

/** Maximum number of donations on the page of a campaign. */
const MAX_RECENT = 5;

/**
 * Renders what a campaign has raised against its goal; with `donations:read` also the number of donors
 * and the last donations.
 */
async function campaignSummary(
  row: CampaignRow,
  { organizationId, currency, timeZone }: MembershipWithSettings,
  { db, donationsPath }: { db: Deps['db']; donationsPath: string | undefined },
): Promise<Html> {
  const [totals, recent] = await Promise.all([
    loadCampaignTotals(db, organizationId, row.id),
    donationsPath ? loadRecent(db, organizationId, row.id) : [],
  ]);
  const campaign = { ...row, raised_cents: totals.raised_cents };
  const goal = goalOf(row, currency);
  const progress = html`<section class="panel progress-panel" aria-label="Progress">
    <p>
      <strong>${raisedOf(campaign, currency)}</strong> ${goal ? html`raised of ${goal}` : 'raised'}
    </p>
    ${goal ? html`<p class="bar-with-text">${progressOf(campaign)}</p>` : ''}
  </section>`;
  if (!donationsPath) return progress;
  const average = totals.donations ? Math.round(totals.raised_cents / totals.donations) : 0;
  return html`${progress}
    ${figures([
      ['Donors', totals.donors.toLocaleString(LOCALE)],
      ['Donations', totals.donations.toLocaleString(LOCALE)],
      ['Average', formatMoney(average, currency, LOCALE)],
    ])}
    <div class="head">
      <h2>Last donations</h2>
      <a href="${donationsPath}?campaign=${row.id}">Donations to this campaign</a>
    </div>
    ${
      recent.length > 0
        ? table('Last donations', donationColumns(donationsPath, timeZone), recent)
        : empty('No donations to this campaign yet.')
    }
    <h2>Settings</h2>`;
}

const loadRecent = (db: Deps['db'], organizationId: string, campaignId: string) =>
  selectDonationRows(db, organizationId)
    .where('donation.campaign_id', '=', campaignId)
    .where(isCounted('donation', organizationId))
    .orderBy('donation.created_at', 'desc')
    .orderBy('donation.id', 'desc')
    .limit(MAX_RECENT)
    .execute();

/**
 * Dashboard pages “Campaigns” in the section “Programs” (API specification, section `campaign`).
 */
export const campaigns = (deps: Deps) => catalogue(deps, CAMPAIGNS);
