import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import { donation, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { DONATIONS, listResponse, text } from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const waitForText = (table: Element, expected: string) =>
  waitUntil(() => text(table).includes(expected), `shows ${expected}`);

describe('a table', () => {
  it('uses the language of its page, also when that changes', async () => {
    const refunded = donation(2, { refund_status: 'partial', refunded_amount_cents: 500 });
    server.on(DONATIONS, () => listResponse([refunded, donation(1)]));
    document.documentElement.lang = 'de';
    const main = await fixture<HTMLElement>(html`
      <main><connect-donations server=${SERVER}></connect-donations></main>
    `);
    const table = main.querySelector('connect-donations')!;
    await waitForText(table, 'Alle angezeigt (2)');
    await waitForText(table, 'Spenden');
    await waitForText(table, 'Teilweise erstattet');
    expect(table.shadowRoot!.querySelector('.frame')).to.have.attribute('lang', 'de');
    document.documentElement.lang = 'ar';
    await waitForText(table, 'التبرعات');
    expect(table.shadowRoot!.querySelector('.frame')).to.have.attribute('dir', 'rtl');
    document.documentElement.lang = 'en';
    await waitForText(table, 'All 2 shown');
    await waitForText(table, 'Partly refunded');
  });
});
