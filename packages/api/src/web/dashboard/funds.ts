import { formatMoney, FUND_TYPES } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Deps } from '../deps.ts';
import {
  createFund,
  findFund,
  updateFund,
  type FundInput,
  type FundRow,
} from '../../resources/catalogue/funds.ts';
import { readPage } from '../../resources/lists/page.ts';
import { LOCALE } from '../layout.ts';
import { catalogue, type CatalogueType } from './catalogue.ts';
import { amount, textArea, checkbox, input, radios } from './field-view.ts';
import { amountText } from './fields.ts';
import { dateElement } from './dashboard-layout.ts';
import { badge, facts } from './table.ts';

const TYPES = {
  unrestricted: { text: 'Unrestricted', hint: 'Used where it is needed most.' },
  restricted: { text: 'Restricted', hint: 'Used only for the purpose that donors chose.' },
  endowment: { text: 'Endowment', hint: 'The money is invested; only its earnings are used.' },
} as const;

const typeOf = ({ type }: FundRow) => TYPES[type as keyof typeof TYPES].text;
const stateOf = ({ archived_at, published }: FundRow) => {
  if (archived_at) return badge('Archived', 'neutral');
  return published ? badge('Public', 'positive') : badge('Internal', 'neutral');
};
const goalOf = ({ goal_cents }: FundRow, currency: string) =>
  goal_cents === null ? null : formatMoney(goal_cents, currency, LOCALE);

const FUNDS: CatalogueType<FundRow, FundInput> = {
  table: 'fund',
  title: 'Funds',
  description: 'What donations are used for. Each donation belongs to one fund permanently.',
  initialValues: { type: 'unrestricted', published: 'on' },
  columns: (path, currency, timeZone) => [
    {
      head: 'Fund',
      as: 'rowHeader',
      cell: ({ id, name }) => html`<a href="${path}/${id}">${name}</a>`,
    },
    { head: 'Type', cell: typeOf },
    { head: 'Status', cell: stateOf },
    { head: 'Created', cell: ({ created_at }) => dateElement(created_at, timeZone) },
    { head: 'Goal', as: 'number', cell: (row) => goalOf(row, currency) },
  ],
  values: (row, currency) => ({
    name: row.name,
    description: row.description ?? '',
    type: row.type,
    goal: amountText(row.goal_cents, currency),
    published: row.published ? 'on' : '',
  }),
  fields: (draft, currency) =>
    html`${input(draft, { name: 'name', label: 'Name', required: true, max: 100 })}
    ${textArea(draft, { name: 'description', label: 'Description', hint: 'Shown to donors.' })}
    ${radios(
      draft,
      { name: 'type', label: 'Type' },
      FUND_TYPES.map((value) => ({ value, ...TYPES[value] })),
    )}
    ${amount(draft, { name: 'goal', label: `Goal (${currency.toUpperCase()})` })}
    ${checkbox(draft, {
      name: 'published',
      label: 'Public',
      hint: 'Shown where donors choose a fund.',
    })}`,
  facts: (row, currency, timeZone) =>
    html`<div class="panel">
      ${facts([
        ['Type', typeOf(row)],
        ['Status', stateOf(row)],
        ['Goal', goalOf(row, currency)],
        ['Created', dateElement(row.created_at, timeZone)],
        ['Description', row.description],
      ])}
    </div>`,
  read: (fields, currency) => ({
    name: fields.required('name', 100),
    description: fields.multilineText('description'),
    type: fields.oneOf('type', FUND_TYPES),
    goal_cents: fields.money('goal', currency, { min: 1 }),
    published: fields.checked('published'),
  }),
  list: ({ db, cursorEncrypter }, page, archived) => {
    const rows = db.selectFrom('fund').selectAll('fund');
    const query = rows.where('fund.archived_at', archived ? 'is not' : 'is', null);
    return readPage(cursorEncrypter, page, query, (row) => row);
  },
  find: findFund,
  create: createFund,
  update: updateFund,
};

/** Dashboard pages “Funds” in the section “Programs” (API specification, section `fund`). */
export const funds = (deps: Deps) => catalogue(deps, FUNDS);
