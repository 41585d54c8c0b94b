import { html, nothing } from 'lit';
import type { Component, Donation, Donor, Payout } from '@connect-embed/contract';
import { renderMoney, renderText } from './format.ts';
import { renderBadge } from './status.ts';
import type { CellContent, Column, DisplayOptions, Resource } from './column.ts';

/**
 * One field of a details view: a table column, or a value without a column. The field is omitted when
 * `cell` returns undefined.
 */
export type Field<Row> = Pick<Column<Row>, 'id' | 'label'> & {
  cell: (row: Row) => CellContent | undefined;
};

/** Fields of a resource that are not columns of its table. */
export function moreFields<Row extends Resource>(
  component: Component,
  display: DisplayOptions,
): Field<Row>[] {
  const { messages } = display;
  const all = {
    donations: () => donationFields(display),
    donors: (): Field<Donor>[] => [
      {
        id: 'postal',
        label: messages.postal,
        cell: ({ postal_code }) => (postal_code ? renderText(postal_code) : undefined),
      },
    ],
    payouts: (): Field<Payout>[] => [
      {
        id: 'statement',
        label: messages.statement,
        cell: ({ statement_descriptor: text }) => (text ? renderText(text) : undefined),
      },
    ],
  };
  const reference: Field<{ id: string; reference?: string }> = {
    id: 'reference',
    label: messages.reference,
    cell: ({ id, reference: shortReference = id }) => renderText(shortReference),
  };
  return [...(all[component]() as unknown as Field<Row>[]), reference];
}

const donationFields = (display: DisplayOptions): Field<Donation>[] => [
  {
    id: 'fee',
    label: display.messages.fee,
    cell: ({ fee_cents, dispute_fee_cents, currency, ...donation }) => {
      if (fee_cents !== null) return renderMoney(fee_cents - dispute_fee_cents, currency, display);
      const { settlement_currency, settlement_fee_cents } = donation;
      if (settlement_currency === null || settlement_fee_cents === null) return undefined;
      return renderMoney(settlement_fee_cents, settlement_currency, display);
    },
  },
  {
    id: 'dispute_fee',
    label: display.messages.disputeFee,
    cell: ({ dispute_fee_cents: cents, currency }) =>
      cents ? renderMoney(cents, currency, display) : undefined,
  },
  {
    id: 'disputed_amount',
    label: display.messages.disputed,
    cell: ({ disputed_amount_cents: cents, currency }) =>
      cents ? renderMoney(cents, currency, display) : undefined,
  },
  {
    id: 'dispute',
    label: display.messages.dispute,
    cell: ({ dispute_status }) =>
      dispute_status === 'none' ? undefined : renderBadge(`dispute_${dispute_status}`, display, {}),
  },
  {
    id: 'kind',
    label: display.messages.kind,
    cell: ({ recurring }) => (recurring ? display.messages.recurring : display.messages.oneTime),
  },
  {
    id: 'campaign',
    label: display.messages.campaign,
    cell: ({ campaign_name, campaign_id }) =>
      campaign_id ? renderText(campaign_name ?? campaign_id) : undefined,
  },
];

/** Renders the fields of a resource as a `<dl>`. */
export const renderFields = <Row>(fields: readonly Field<Row>[], row: Row) =>
  html`<dl part="fields">
    ${fields.map(({ label, cell }) => {
      const content = cell(row);
      return content === undefined
        ? nothing
        : html`<dt>${label}</dt>
            <dd>${content}</dd>`;
    })}
  </dl>`;

/**
 * Renders placeholders for the fields while the resource loads.
 *
 * @param hideLabels hides the labels while their translations load
 */
export const renderSkeletonFields = <Row>(fields: readonly Field<Row>[], hideLabels: boolean) =>
  html`<dl class="skeleton" aria-hidden="true">
    ${fields.map(
      ({ label }) =>
        html`<dt>${hideLabels ? '\u00a0' : label}</dt>
          <dd><i></i></dd>`,
    )}
  </dl>`;
