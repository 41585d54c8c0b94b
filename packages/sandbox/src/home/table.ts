import { html } from 'hono/html';
import { formatMoney } from '../money.ts';

type Html = ReturnType<typeof html>;

/** A table column of the sandbox's front page; numbers are aligned at the end. */
export type Column<Row> = {
  label: string;
  cell: (row: Row) => Html | string;
  number?: boolean;
};

/** Renders a section with a table, or with a text if there are no rows. */
export const renderSection = <Row>(
  id: string,
  title: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty: string,
) =>
  html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${rows.length ? renderTable(title, rows, columns) : html`<p class="empty">${empty}</p>`}
  </section>`;

const renderTable = <Row>(title: string, rows: readonly Row[], columns: readonly Column<Row>[]) =>
  html`<div class="scroll" role="group" aria-label="${title}, scrolling sideways" tabindex="0">
    <table>
      <thead>
        <tr>
          ${columns.map(
            ({ label, number }) =>
              html`<th scope="col" class="${number ? 'number' : ''}">${label}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map(
                ({ cell, number }) => html`<td class="${number ? 'number' : ''}">${cell(row)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/** Renders a button for an admin action as a form of its own, so that no script is needed. */
export const renderButton = (
  path: string,
  label: string,
  values: Record<string, string>,
  subject = '',
) =>
  html`<form method="post" action="/sandbox${path}">
    ${Object.entries(values).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    <button aria-label="${subject ? `${label}: ${subject}` : label}">${label}</button>
  </form>`;

export const statusCell = (text: string) =>
  html`<span class="status" data-status="${text}">${text.replaceAll('_', ' ')}</span>`;

export const moneyCell = ({ amount, currency }: { amount: number; currency: string }) =>
  formatMoney(amount, currency);

/** Formats a time in UTC: `2026-11-21 03:12`. */
export const formatTime = (seconds: number) =>
  new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');

export const accountCell = ({ account: id }: { account: string }) => html`<code>${id}</code>`;
