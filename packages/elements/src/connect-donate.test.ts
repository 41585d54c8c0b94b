import type { EmbedForm } from '@connect-embed/contract';
import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import './define.ts';
import { Donor } from './test-support/donor.ts';
import {
  embedForm,
  publicForm,
  jsonResponse,
  errorResponse,
  intent,
  SERVER,
} from './test-support/server.ts';
import { server, stripe } from './test-support/set-up.ts';
import { FakeStripe, paid } from './test-support/fake-stripe.ts';
import { untilQuiet } from './test-support/until-quiet.ts';
import { waitUntil } from './test-support/wait-until.ts';

/** URLs of the scripts that are added to the page. */
function watchScripts(): string[] {
  const scriptUrls: string[] = [];
  new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes)
        if (node instanceof HTMLScriptElement) scriptUrls.push(node.src);
    }
  }).observe(document.head, { childList: true });
  return scriptUrls;
}

describe('a donation', () => {
  it('requests form and session without a CORS preflight, and the session only for a donor', async () => {
    server.setForm({ form_version: 3 });
    const donor = await Donor.open(
      html`<connect-donate server=${SERVER} form="winter gala"></connect-donate>`,
    );
    expect(server.requests.map(({ path }) => path)).to.deep.equal(['/embed-form']);
    await donor.fill();
    await waitUntil(() => server.requestsTo('/embed-sessions').length, 'the session');
    const [form, session] = server.requests;
    expect(form!.query.get('form')).to.equal('winter gala');
    expect(Object.fromEntries(session!.query)).to.deep.equal({
      form: 'winter gala',
      form_version: '3',
    });
    for (const { headers, body } of [form!, session!]) {
      // The only header with a value that needs no preflight (Fetch: CORS-safelisted request-header).
      expect([...headers]).to.deep.equal([['accept', 'application/json']]);
      expect(body).to.deep.equal({});
    }
  });

  it('is submitted, from the choice of the amount to the thank-you page', async () => {
    const donor = await Donor.open();
    donor.select(10_000);
    await donor.fill();
    expect(donor.find('.primary')).to.have.trimmed.text('Give $100');
    stripe.confirm = () => paid(10_000);
    setTimeout(() => donor.submit());
    const success = await oneEvent(donor.element, 'connect-success');
    expect(success).to.include({ paymentIntentId: 'pi_1', amountCents: 10_000, currency: 'usd' });
    await donor.waitForText('Thank you, Maya');
    await donor.waitForText('Your gift of $100 to Harbor Street Food Bank is complete.');
    await donor.waitForText('K7QM-4XTZ');
    expect(donor.focused?.id).to.equal('title');
    expect(server.requestsTo('/payment-intents')[0]!.body).to.deep.equal({
      amount_cents: 10_000,
      donor_name: 'Maya Lindqvist',
      donor_email: 'maya@example.org',
    });
    expect(server.requestsTo('/payment-intents')[0]!.headers.get('authorization')).to.equal(
      'Bearer visitor_1',
    );
  });

  it('announces a receipt', async () => {
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Your receipt will be sent to maya@example.org.');
  });

  for (const receipts of [false, undefined]) {
    it(`announces no receipt if the form has receipts: ${receipts}`, async () => {
      server.setForm({ receipts } as Partial<EmbedForm>);
      const donor = await Donor.open();
      await donor.fillAndSubmit();
      await donor.waitForText('Thank you');
      expect(donor.text).not.to.include('receipt');
    });
  }

  it('is submitted once, however often Give is pressed', async () => {
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    donor.submit();
    donor.find('form')!.dispatchEvent(new SubmitEvent('submit', { cancelable: true }));
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
    expect(stripe.confirmed).to.have.length(1);
  });

  it('can be submitted with the keyboard alone', async () => {
    const donor = await Donor.open();
    donor.find<HTMLInputElement>('input[value="5000"]')!.focus();
    await sendKeys({ press: 'ArrowRight' });
    await sendKeys({ press: 'Tab' });
    expect(donor.focused?.id).to.equal('other');
    await sendKeys({ press: 'Tab' });
    await sendKeys({ type: 'Maya' });
    await sendKeys({ press: 'Tab' });
    await sendKeys({ type: 'maya@example.org' });
    await sendKeys({ press: 'Enter' });
    await donor.waitForText('Thank you, Maya');
    expect(server.requestsTo('/payment-intents')[0]!.body['amount_cents']).to.equal(10_000);
  });

  it('has the custom amount that the donor types', async () => {
    const donor = await Donor.open();
    await donor.fill();
    donor.type('other', '12.34');
    await donor.waitForText('Give $12.34');
    expect(stripe.sheetAmount).to.equal(1234);
    donor.submit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')[0]!.body['amount_cents']).to.equal(1234);
  });

  it('gets a new idempotency key after the previous one is complete', async () => {
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    donor.find('.thank-you button:last-child')!.click();
    await donor.waitFor('form');
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(2);
    expect(stripe.mounts).to.equal(2);
  });

  it('is stopped when the page cancels connect-confirm', async () => {
    const donor = await Donor.open();
    await donor.fill();
    const confirmed: Event[] = [];
    donor.element.addEventListener('connect-confirm', (event) => {
      if (confirmed.push(event) === 1) event.preventDefault();
    });
    donor.submit();
    await waitUntil(() => confirmed.length === 1, 'the first press');
    expect(server.requestsTo('/payment-intents')).to.have.length(0);
    expect(donor.find('.primary')!.ariaDisabled).to.equal(null);
    donor.submit();
    await donor.waitForText('Thank you');
    expect(confirmed).to.have.length(2);
  });

  it('dispatches connect-change when it changes', async () => {
    const donor = await Donor.open();
    setTimeout(() => donor.select(2500));
    const change = await oneEvent(donor.element, 'connect-change');
    expect(change).to.include({ amountCents: 2500, currency: 'usd', complete: false });
    expect([change.bubbles, change.composed]).to.deep.equal([true, true]);
  });
});

describe('the form', () => {
  it('loads nothing from Stripe before the donor interacts', async () => {
    stripe.restore();
    const scriptUrls = watchScripts();
    const donor = await Donor.open();
    await untilQuiet();
    expect(scriptUrls).to.deep.equal([]);
    donor.type('name', 'M');
    await waitUntil(() => scriptUrls.length > 0, 'requested');
    expect(scriptUrls).to.deep.equal(['https://sandbox.test/stripe.js']);
  });

  it('explains blocked card fields, with a link to the hosted page', async () => {
    stripe.restore();
    const donor = await Donor.open();
    donor.type('name', 'M');
    await donor.waitForText('The payment form could not be loaded');
    expect(donor.find<HTMLAnchorElement>('a')!.href).to.equal('https://api.test/embed/es_1');
    const unblocked = new FakeStripe();
    donor.find('.payment-error button')!.click();
    await waitUntil(() => unblocked.mounts === 1, 'mounted');
  });

  it('accepts only Stripe’s own script in live mode', async () => {
    stripe.restore();
    server.setForm({ livemode: true });
    const scriptUrls = watchScripts();
    const donor = await Donor.open();
    expect(donor.text).not.to.include('Test mode');
    donor.type('name', 'M');
    await donor.waitForText('The payment form could not be loaded');
    expect(scriptUrls).to.deep.equal([]);
  });

  it('shows a friendly error when it cannot be loaded, and loads on retry', async () => {
    server.on('/embed-form', (_, times) =>
      times === 1 ? errorResponse('not_found', 'No form gala.') : jsonResponse(publicForm()),
    );
    const donor = await Donor.render();
    await donor.waitForText('The donation form is not available right now');
    expect(donor.text).not.to.include('No form gala');
    donor.find('button')!.click();
    await donor.waitForText('Support Harbor Street Food Bank');
  });

  it('shows its fallback content when it cannot be loaded', async () => {
    server.on('/embed-form', () => errorResponse('not_found', 'No form gala.'));
    const donor = await Donor.render(html`
      <connect-donate server=${SERVER} form="gala"><a href="#by-mail">By mail</a></connect-donate>
    `);
    const link = donor.element.querySelector('a')!;
    await donor.waitForText('not available right now');
    expect(link.checkVisibility()).to.equal(true);
    expect(link.offsetHeight).to.be.above(0);
  });

  it('is first drawn as a disabled placeholder of the same height', async () => {
    let respond!: (form: Response) => void;
    server.on('/embed-form', () => new Promise<Response>((resolve) => (respond = resolve)));
    const donor = await Donor.render();
    await donor.waitFor('.skeleton');
    const { element } = donor;
    expect(element.shadowRoot!.querySelectorAll('input:not(:disabled)')).to.have.length(0);
    const height = element.offsetHeight;
    setTimeout(() => respond(jsonResponse(publicForm())));
    await oneEvent(element, 'connect-ready');
    await element.updateComplete;
    expect(element.offsetHeight).to.be.closeTo(height, 1);
  });

  it('shows that it is in test mode', async () => {
    expect((await Donor.open()).text).to.include('Test mode');
  });

  it('offers only the preset amounts when amounts are locked', async () => {
    const terms = { ...embedForm().terms, amount_locked: true, default_amount_cents: null };
    server.setForm({ terms });
    const donor = await Donor.open();
    expect(donor.find('#other')).to.equal(null);
    donor.submit();
    await donor.waitForText('Choose an amount.');
    await waitUntil(() => donor.focused?.id === 'banner', 'focus');
    donor.find('#banner a')!.click();
    await waitUntil(() => donor.focused?.getAttribute('type') === 'radio', 'goes to the amounts');
  });

  it('prefills the donor’s details', async () => {
    const prefill = { donor_name: 'Maya', donor_email: 'maya@example.org' };
    server.setForm({ prefill });
    const donor = await Donor.open();
    expect(donor.find<HTMLInputElement>('#email')!.value).to.equal('maya@example.org');
  });

  it('formats and parses amounts in the page’s language', async () => {
    server.setForm({ currency: 'eur' });
    const donor = await Donor.render(html`
      <div lang="de"><connect-donate server=${SERVER}></connect-donate></div>
    `);
    await donor.waitForText('50 € spenden');
    donor.type('other', '1.250,50');
    await donor.waitForText('1.250,50 € spenden');
  });

  it('is right-to-left on a right-to-left page', async () => {
    const donor = await Donor.render(html`
      <div dir="rtl"><connect-donate server=${SERVER}></connect-donate></div>
    `);
    await donor.waitForText('Give $50');
    const [first, second] = donor.all('.option');
    expect(first!.getBoundingClientRect().left).to.be.above(second!.getBoundingClientRect().left);
  });

  it('fits into 280 pixels', async () => {
    const donor = await Donor.render(html`
      <div style="width: 280px"><connect-donate server=${SERVER}></connect-donate></div>
    `);
    await donor.waitForText('Give $50');
    await donor.fill();
    expect(donor.find('.frame')!.scrollWidth).to.be.at.most(280);
  });

  it('pays behind a VPN that makes the browser look offline', async () => {
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    const donor = await Donor.open();
    window.dispatchEvent(new Event('offline'));
    await donor.fill();
    server.on('/payment-intents', (_requests, times) =>
      times === 1 ? undefined : jsonResponse(intent()),
    );
    donor.submit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')).to.have.length(2);
  });

  it('says that it is offline if the request fails, and pays when online again', async () => {
    const donor = await Donor.open();
    await donor.fill();
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    window.dispatchEvent(new Event('offline'));
    server.on('/payment-intents', () => undefined);
    donor.submit();
    await donor.waitForText('You are offline. You were not charged');
    server.on('/payment-intents', () => jsonResponse(intent()));
    Reflect.deleteProperty(navigator, 'onLine');
    window.dispatchEvent(new Event('online'));
    await donor.waitForText('You are back online');
    donor.submit();
    await donor.waitForText('Thank you');
  });

  it('does not blame the connection for an error of the server', async () => {
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    server.on('/payment-intents', () => errorResponse('server_error'));
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('We could not reach the server');
  });

  it('warns once about an invalid server URL and does not throw', async () => {
    const warn = console.warn;
    const warnings: string[] = [];
    console.warn = (text: string) => warnings.push(text);
    await fixture(html`<connect-donate server="http://[" form="a"></connect-donate>`);
    await fixture(html`<connect-donate server="http://[" form="b"></connect-donate>`);
    console.warn = warn;
    expect(warnings.filter((text) => text.includes('server="http://["'))).to.have.length(1);
  });
});
