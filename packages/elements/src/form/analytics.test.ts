import { expect, html, oneEvent } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { SERVER } from '../test-support/server.ts';
import '../test-support/set-up.ts';

describe('analytics="ga4"', () => {
  it('pushes a donation without data about the donor', async () => {
    const page = window as { dataLayer?: object[] };
    const donor = await Donor.render(
      html`<connect-donate server=${SERVER} form="gala" analytics="ga4"></connect-donate>`,
    );
    await donor.waitForText('Give $50');
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    const dataLayer = page.dataLayer!;
    delete page.dataLayer;
    const items = [{ item_id: 'gala', item_name: 'Winter meals', price: 50, quantity: 1 }];
    const ecommerce = { currency: 'USD', value: 50, items };
    expect(dataLayer.filter((one) => 'event' in one)).to.deep.equal([
      { event: 'begin_checkout', ecommerce },
      { event: 'purchase', ecommerce: { ...ecommerce, transaction_id: 'pi_1' } },
    ]);
    expect(JSON.stringify(dataLayer)).not.to.match(/maya/i);
  });

  it('pushes events of the current form only, and not of a canceled donation', async () => {
    const page = window as { dataLayer?: object[] };
    const donor = await Donor.open(
      html`<connect-donate server=${SERVER} form="gala" analytics="ga4"></connect-donate>`,
    );
    const ready = oneEvent(donor.element, 'connect-ready');
    donor.element.form = 'meals';
    await ready;
    await donor.whenDrawn();
    const stop = (event: Event) => event.preventDefault();
    document.addEventListener('connect-confirm', stop);
    await donor.fill();
    donor.submit();
    await oneEvent(document, 'connect-confirm');
    document.removeEventListener('connect-confirm', stop);
    expect(page.dataLayer ?? []).to.deep.equal([]);
    donor.submit();
    await donor.waitForText('Thank you');
    const pushed = JSON.stringify(page.dataLayer);
    delete page.dataLayer;
    expect(pushed).to.contain('"item_id":"meals"').and.not.to.contain('gala');
  });

  it('creates window.dataLayer when an element has that id', async () => {
    const page = window as { dataLayer?: object[] };
    const donor = await Donor.open(html`
      <h2 id="dataLayer">Data</h2>
      <connect-donate server=${SERVER} form="gala" analytics="ga4"></connect-donate>
    `);
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(JSON.stringify(page.dataLayer)).to.include('"purchase"');
    delete page.dataLayer;
  });

  it('pushes once it is set after the form is drawn', async () => {
    const page = window as { dataLayer?: object[] };
    const donor = await Donor.open();
    Object.assign(donor.element, { analytics: 'ga4', amount: 25 });
    await donor.waitForText('Give $25'); // Both have taken effect.
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    const pushed = JSON.stringify(page.dataLayer);
    delete page.dataLayer;
    expect(pushed).to.include('"begin_checkout"').and.to.include('"purchase"');
  });

  it('pushes nothing after the attribute is removed', async () => {
    const page = window as { dataLayer?: object[] };
    const donor = await Donor.open(
      html`<connect-donate server=${SERVER} form="gala" analytics="ga4"></connect-donate>`,
    );
    donor.element.removeAttribute('analytics');
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(page.dataLayer).to.equal(undefined);
  });
});
