import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Deps } from '../pages/deps.ts';
import {
  createFund,
  findFund,
  updateFund,
  type FundInput,
  type FundRow,
} from '@connect-embed/api/resources/catalogue/funds';
import { readPage } from '@connect-embed/api/resources/lists/page';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { catalogue, type CatalogueList, type CatalogueType } from './catalogue.ts';
import { dateElement } from '../pages/dashboard-layout.ts';
import { money, multilineText, oneOf, required, text, yesOrNo } from '../pages/field-types.ts';
import { badge, facts } from '../pages/table.ts';

const TYPES = {
  unrestricted: { text: 'Unrestricted', hint: 'Used where it is needed most.' },
  restricted: { text: 'Restricted', hint: 'Used only for the purpose that donors chose.' },
  endowment: { text: 'Endowment', hint: 'The money is invested; only its earnings are used.' },
} as const;

const typeOf = ({ type }: FundRow) => TYPES[type].text;
const stateOf = ({ archived_at, published }: FundRow) => {
  if (archived_at) return badge('Archived', 'neutral');
  return published ? badge('Public', 'positive') : badge('Internal', 'neutral');
};
const goalOf = ({ goal_cents }: FundRow, currency: string) =>
  goal_cents === null ? null : formatMoney(goal_cents, currency, LOCALE);

const FUNDS: CatalogueType<FundRow, FundInput> & CatalogueList<FundRow> = {
  table: 'fund',
  title: 'Funds',
  description: 'What donations are used for. Each donation belongs to one fund permanently.',
  initialValues: { type: 'unrestricted', published: true },
  columns: (path, { currency, timeZone }) => [
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
  fields: ({ currency }) => ({
    name: required(text({ label: 'Name', max: 100 })),
    description: multilineText({ label: 'Description', hint: 'Shown to donors.' }),
    type: oneOf({ label: 'Type', choices: TYPES }),
    goal_cents: money({ label: 'Goal', currency, min: 1 }),
    published: yesOrNo({ label: 'Public', hint: 'Shown where donors choose a fund.' }),
  }),
  facts: (row, { currency, timeZone }) =>
    html`<div class="panel">
      ${facts([
        ['Type', typeOf(row)],
        ['Status', stateOf(row)],
        ['Goal', goalOf(row, currency)],
        ['Created', dateElement(row.created_at, timeZone)],
        ['Description', row.description],
      ])}
    </div>`,
  list: ({ db, cursorEncrypter }, page, archived) => {
    const rows = forOrganization(db, page.organizationId)
      .selectFrom('fund')
      .selectAll('fund')
      .$narrowType<Pick<FundRow, 'type'>>();
    const query = rows.where('fund.archived_at', archived ? 'is not' : 'is', null);
    return readPage(cursorEncrypter, page, query, (row) => row);
  },
  find: findFund,
  create: createFund,
  update: updateFund,
};

/** Dashboard pages “Funds” in the section “Programs” (API specification, section `fund`). */
export const funds = (deps: Deps) => catalogue(deps, FUNDS);
