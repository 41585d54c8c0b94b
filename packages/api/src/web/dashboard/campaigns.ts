import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Deps } from '../deps.ts';
import {
  createCampaign,
  findCampaign,
  updateCampaign,
  type CampaignInput,
  type CampaignRow,
} from '../../resources/catalogue/campaigns.ts';
import { loadRaisedCents } from '../../resources/catalogue/raised.ts';
import { readPage } from '../../resources/lists/page.ts';
import { LOCALE } from '../layout.ts';
import { catalogue, type CatalogueType } from './catalogue.ts';
import { calendarDateElement } from './dashboard-layout.ts';
import {
  date,
  money,
  multilineText,
  required,
  text,
  urlName,
  yesOrNo,
} from './pages/field-types.ts';
import { badge, facts, figures } from './table.ts';

/** A campaign with the amount raised for it, in the organization's currency. */
type Campaign = CampaignRow & { raised_cents: number };

const stateOf = ({ archived_at, is_active }: CampaignRow) => {
  if (archived_at) return badge('Archived', 'neutral');
  return is_active ? badge('Active', 'positive') : badge('Inactive', 'neutral');
};
const goalOf = ({ goal_cents }: CampaignRow, currency: string) =>
  goal_cents === null ? null : formatMoney(goal_cents, currency, LOCALE);
const dayOrNone = (date: Date | null) => date && calendarDateElement(date);

/** Formats the amount raised, net of refunds and lost disputes, as on the public progress bar. */
const raisedOf = ({ raised_cents }: Campaign, currency: string) =>
  formatMoney(raised_cents, currency, LOCALE);

const percentOf = ({ raised_cents, goal_cents }: Pick<Campaign, 'raised_cents' | 'goal_cents'>) =>
  Math.floor((raised_cents / (goal_cents ?? Infinity)) * 100);

/**
 * Renders the progress towards the goal as a bar and a percentage. Returns null for a campaign
 * without a goal.
 */
const progressOf = ({ name, raised_cents, goal_cents }: Campaign) => {
  if (!goal_cents) return null;
  const percent = percentOf({ raised_cents, goal_cents });
  return html`<meter
      class="meter"
      min="0"
      max="${goal_cents}"
      value="${Math.min(raised_cents, goal_cents)}"
      aria-label="Progress of ${name}"
    >
      ${percent} %
    </meter>
    <span class="small muted">${percent} %</span>`;
};

const CAMPAIGNS: CatalogueType<Campaign, CampaignInput> = {
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
          row.goal_cents ? html`<br /><span class="small muted">${percentOf(row)} %</span>` : ''
        }`,
    },
    { head: 'Goal', as: 'number', cell: (row) => goalOf(row, currency) },
  ],
  fields: ({ currency }) => ({
    name: required(text({ label: 'Name', max: 100 })),
    slug: urlName({ source: 'name' }),
    description: multilineText({ label: 'Description' }),
    goal_cents: money({ label: 'Goal', currency, min: 1 }),
    start_date: date({ label: 'Start date', half: true }),
    end_date: date({ label: 'End date', half: true }),
    is_active: yesOrNo({ label: 'Active', hint: 'It accepts donations.' }),
  }),
  check: ({ start_date, end_date }, form) => {
    if (start_date && end_date && end_date < start_date)
      form.addError('end_date', 'Must not be before the start date.');
  },
  summary: (row, { currency }, donations) =>
    html`${figures([
      ['Raised', raisedOf(row, currency)],
      ['Goal', goalOf(row, currency) ?? 'None'],
      ...(row.goal_cents ? [['Progress', progressOf(row)] as const] : []),
    ])}
    ${donations && html`<p><a href="${donations}">Donations to this campaign</a></p>`}`,
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
  find: async (db, ref) => {
    const row = await findCampaign(db, ref);
    const raised = await loadRaisedCents(db, ref.organizationId, [row.id]);
    return { ...row, raised_cents: raised.get(row.id) ?? 0 };
  },
  create: createCampaign,
  update: updateCampaign,
};

/**
 * Dashboard pages “Campaigns” in the section “Programs” (API specification, section `campaign`).
 */
export const campaigns = (deps: Deps) => catalogue(deps, CAMPAIGNS);
