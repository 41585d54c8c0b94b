import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Deps } from '../deps.ts';
import {
  createCampaign,
  findCampaign,
  updateCampaign,
  type CampaignInput,
  type CampaignRow,
} from '../../resources/catalogue/campaigns.ts';
import { loadRaisedCents } from '../../resources/catalogue/raised.ts';
import { isSlug } from '../../resources/catalogue/slug.ts';
import { readPage } from '../../resources/lists/page.ts';
import { LOCALE } from '../layout.ts';
import { catalogue, type CatalogueType } from './catalogue.ts';
import { amount, textArea, checkbox, input } from './field-view.ts';
import { amountText, type FormFields } from './fields.ts';
import { calendarDateElement } from './dashboard-layout.ts';
import { badge, facts } from './table.ts';

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
  initialValues: { is_active: 'on' },
  columns: (path, currency) => [
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
  values: (row, currency) => ({
    name: row.name,
    slug: row.slug,
    description: row.description ?? '',
    goal: amountText(row.goal_cents, currency),
    start_date: row.start_date?.toISOString().slice(0, 10) ?? '',
    end_date: row.end_date?.toISOString().slice(0, 10) ?? '',
    is_active: row.is_active ? 'on' : '',
  }),
  fields: (draft, currency) =>
    html`${input(draft, { name: 'name', label: 'Name', required: true, max: 100 })}
      ${input(draft, {
        name: 'slug',
        label: 'URL name',
        hint: 'Lowercase letters, digits and hyphens. Leave empty to create it from the name.',
        max: 60,
      })}
      ${textArea(draft, { name: 'description', label: 'Description' })}
      ${amount(draft, { name: 'goal', label: `Goal (${currency.toUpperCase()})` })}
      <div class="two-columns">
        ${input(draft, { name: 'start_date', label: 'Start date', type: 'date' })}
        ${input(draft, { name: 'end_date', label: 'End date', type: 'date' })}
      </div>
      ${checkbox(draft, {
        name: 'is_active',
        label: 'Active',
        hint: 'It accepts donations.',
      })}`,
  summary: (row, currency, donations) =>
    html`<dl class="figures">
        <div>
          <dt>Raised</dt>
          <dd>${raisedOf(row, currency)}</dd>
        </div>
        <div>
          <dt>Goal</dt>
          <dd>${goalOf(row, currency) ?? 'None'}</dd>
        </div>
        ${
          row.goal_cents
            ? html`<div>
                <dt>Progress</dt>
                <dd>${progressOf(row)}</dd>
              </div>`
            : ''
        }
      </dl>
      ${donations && html`<p><a href="${donations}">Donations to this campaign</a></p>`}`,
  facts: (row, currency) =>
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
  read: (fields, currency) => {
    const input = {
      name: fields.required('name', 100),
      slug: readSlug(fields),
      description: fields.multilineText('description'),
      goal_cents: fields.money('goal', currency, { min: 1 }),
      start_date: fields.date('start_date'),
      end_date: fields.date('end_date'),
      is_active: fields.checked('is_active'),
    };
    const { start_date: from, end_date: until } = input;
    if (from && until && until < from)
      fields.addError('end_date', 'Must not be before the start date.');
    return input;
  },
  list: async ({ db, cursorEncrypter }, page, archived) => {
    const rows = db.selectFrom('campaign').selectAll('campaign');
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

/**
 * Reads the slug from a submitted form. An empty string means that the slug is derived from the
 * name.
 */
export function readSlug(fields: FormFields): string {
  const slug = fields.text('slug', 60) ?? '';
  if (slug && !isSlug(slug))
    fields.addError('slug', 'Use only lowercase letters, digits and single hyphens.');
  return slug;
}
