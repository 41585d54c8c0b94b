import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Deps } from '../../env.ts';
import {
  createCampaign,
  findCampaign,
  updateCampaign,
  type CampaignInput,
  type CampaignRow,
} from '../../catalogue/campaigns.ts';
import { isSlug } from '../../catalogue/slug.ts';
import { readPage } from '../../db/page.ts';
import { LOCALE } from '../layout.ts';
import { catalogue, type Kind } from './catalogue.ts';
import { amount, area, checkbox, input } from './field-view.ts';
import { amountText, type Fields } from './fields.ts';
import { day } from './frame.ts';
import { badge, facts } from './table.ts';

const stateOf = ({ archived_at, is_active }: CampaignRow) => {
  if (archived_at) return badge('Archived', 'still');
  return is_active ? badge('Active', 'good') : badge('Not active', 'still');
};
const goalOf = ({ goal_cents }: CampaignRow, currency: string) =>
  goal_cents === null ? null : formatMoney(goal_cents, currency, LOCALE);
const dayOrNone = (date: Date | null) => date && day(date);

const CAMPAIGNS: Kind<CampaignRow, CampaignInput> = {
  table: 'campaign',
  title: 'Campaigns',
  about: 'A drive towards a goal, over a time. Donations and events can belong to one.',
  start: { is_active: 'on' },
  columns: (path, currency) => [
    {
      head: 'Campaign',
      as: 'row',
      cell: ({ id, name }) => html`<a href="${path}/${id}">${name}</a>`,
    },
    { head: 'State', cell: stateOf },
    { head: 'From', cell: ({ start_date }) => dayOrNone(start_date) },
    { head: 'Until', cell: ({ end_date }) => dayOrNone(end_date) },
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
        label: 'Name in addresses',
        hint: 'Small letters and hyphens. Left empty, it follows from the name.',
        max: 60,
      })}
      ${area(draft, { name: 'description', label: 'Description' })}
      ${amount(draft, { name: 'goal', label: `Goal in ${currency.toUpperCase()}` })}
      <div class="two">
        ${input(draft, { name: 'start_date', label: 'From', type: 'date' })}
        ${input(draft, { name: 'end_date', label: 'Until', type: 'date' })}
      </div>
      ${checkbox(draft, {
        name: 'is_active',
        label: 'Active',
        hint: 'Gifts can be raised for it now.',
      })}`,
  facts: (row, currency) =>
    html`<div class="panel">
      ${facts([
        ['State', stateOf(row)],
        ['From', dayOrNone(row.start_date)],
        ['Until', dayOrNone(row.end_date)],
        ['Goal', goalOf(row, currency)],
        ['Name in addresses', row.slug],
        ['Description', row.description],
      ])}
    </div>`,
  read: (fields, currency) => {
    const input = {
      name: fields.required('name', 100),
      slug: readSlug(fields),
      description: fields.lines('description'),
      goal_cents: fields.money('goal', currency, { min: 1 }),
      start_date: fields.date('start_date'),
      end_date: fields.date('end_date'),
      is_active: fields.checked('is_active'),
    };
    const { start_date: from, end_date: until } = input;
    if (from && until && until < from) fields.refuse('end_date', 'Is before it begins.');
    return input;
  },
  list: ({ db, cursors }, page, archived) => {
    const rows = db.selectFrom('campaign').selectAll('campaign');
    const shown = rows.where('campaign.archived_at', archived ? 'is not' : 'is', null);
    return readPage(cursors, page, shown, (row) => row);
  },
  find: findCampaign,
  create: createCampaign,
  update: updateCampaign,
};

/** Programs › Campaigns (spec: campaign). */
export const campaigns = (deps: Deps) => catalogue(deps, CAMPAIGNS);

/** What stands for a thing in addresses; '' leaves it to the name. */
export function readSlug(fields: Fields): string {
  const slug = fields.text('slug', 60) ?? '';
  if (slug && !isSlug(slug))
    fields.refuse('slug', 'Small letters, digits and single hyphens only.');
  return slug;
}
