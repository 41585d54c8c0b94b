import { donationFlow } from '@connect-embed/locales/en.json';
import { expect, fixture, html } from '@open-wc/testing';
import './define.ts';
import type { ConnectDonate } from './connect-donate.ts';
import { define } from './shared/define-once.ts';

import { Donor } from './test-support/donor.ts';
import { SERVER } from './test-support/server.ts';
import { server, stripe } from './test-support/set-up.ts';
import { paid, type StripeResult } from './test-support/fake-stripe.ts';
import { waitUntil } from './test-support/wait-until.ts';

/** Creates an element of the page with an open or closed shadow root that contains another element. */
function shell(inner: Element, mode: ShadowRootMode): HTMLElement {
  const host = document.createElement('div');
  host.attachShadow({ mode }).append(inner);
  return host;
}

function newForm(): ConnectDonate {
  const element = document.createElement('connect-donate');
  element.server = SERVER;
  return element;
}

describe('a form anywhere in a page', () => {
  for (const mode of ['open', 'closed'] as const) {
    it(`has its card fields in the light DOM, drawn inside the form, two ${mode} shadow roots deep`, async () => {
      const element = newForm();
      const outer = shell(shell(element, mode), mode);
      await fixture(html`<main>${outer}</main>`);
      const donor = new Donor(element);
      await donor.waitForText('Give $50');
      await donor.fill();
      const field = document.querySelector<HTMLElement>('[aria-label="Card number"]')!;
      expect(field.getRootNode()).to.equal(document);
      expect(field.closest('div')!.parentElement).to.equal(outer);
      const form = element.getBoundingClientRect();
      const drawn = field.getBoundingClientRect();
      expect(drawn.top).to.be.within(form.top, form.bottom);
      expect(drawn.width).to.be.above(0);
      donor.submit();
      await donor.waitForText('Thank you');
    });
  }

  it("keeps the donor's input and mounts the card fields again when it is moved", async () => {
    const page = await fixture(
      html`<main>
        <div id="a"></div>
        <div id="b"></div>
      </main>`,
    );
    const element = newForm();
    page.querySelector('#a')!.append(element);
    const donor = new Donor(element);
    await donor.waitForText('Give $50');
    await donor.fill();
    page.querySelector('#b')!.append(element);
    await waitUntil(() => stripe.mounts === 2, 'mounted again');
    expect(stripe.destroyed).to.equal(1);
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
  });

  it('shows a message when it is moved while Give waits for the card fields', async () => {
    const donor = await Donor.open();
    const { promise: drawn, resolve: draw } = Promise.withResolvers<void>();
    stripe.drawn = drawn;
    donor.type('name', 'Maya Lindqvist');
    donor.type('email', 'maya@example.org');
    donor.submit();
    await donor.waitFor('.spinner');
    await waitUntil(() => stripe.mounts === 1, 'the card is being drawn');
    stripe.drawn = new Promise(() => {});
    donor.element.parentElement!.append(donor.element);
    draw();
    await donor.waitForText('Complete your payment details.');
  });

  for (const [change, apply] of [
    ['moved', (element: Element) => element.closest('main')!.prepend(element)],
    ['cloned', (element: Element) => element.closest('main')!.append(element.cloneNode(true))],
  ] as const) {
    it(`charges once and shows the outcome when it is ${change} while the card is charged`, async () => {
      const { promise: charged, resolve: charge } = Promise.withResolvers<StripeResult>();
      stripe.confirm = () => charged;
      const donor = await Donor.open(
        html`<p></p>
          <connect-donate server=${SERVER}></connect-donate>`,
      );
      await donor.fillAndSubmit();
      await waitUntil(() => stripe.confirmed.length === 1, 'the card is being charged');
      apply(donor.element);
      charge(paid());
      await donor.waitForText('Thank you');
      // A clone may be used for another donation, or show the outcome of this one.
      for (const form of donor.element.closest('main')!.querySelectorAll('connect-donate')) {
        await new Donor(form).waitForText(/Give \$50|Thank you/);
      }
      expect(stripe.confirmed).to.have.length(1);
      expect(server.requestsTo('/payment-intents')).to.have.length(1);
    });
  }

  it('leaves no listeners and nodes when it is removed, a hundred times', async () => {
    const page = await fixture<HTMLElement>(html`<main></main>`);
    const before = { head: document.head.childElementCount, listeners: 0 };
    const { addEventListener, removeEventListener } = window;
    window.addEventListener = function (...given: Parameters<typeof addEventListener>) {
      before.listeners += 1;
      return addEventListener.apply(window, given);
    } as typeof addEventListener;
    window.removeEventListener = function (...given: Parameters<typeof removeEventListener>) {
      before.listeners -= 1;
      return removeEventListener.apply(window, given);
    } as typeof removeEventListener;
    for (let round = 0; round < 100; round += 1) {
      const element = newForm();
      page.append(element);
      const donor = new Donor(element);
      await donor.whenDrawn();
      donor.type('name', 'M');
      await waitUntil(() => stripe.mounts > round, 'mounted');
      element.remove();
    }
    Object.assign(window, { addEventListener, removeEventListener });
    expect(page.childElementCount).to.equal(0);
    expect(document.querySelectorAll('[aria-label="Card number"]')).to.have.length(0);
    expect(document.head.childElementCount).to.equal(before.head);
    expect(stripe.destroyed).to.equal(100);
    expect(before.listeners).to.equal(0);
  });

  it('is defined once when the page loads the code twice', () => {
    const first = customElements.get('connect-donate');
    expect(() => define({ 'connect-donate': class extends HTMLElement {} })).not.to.throw();
    expect(customElements.get('connect-donate')).to.equal(first);
  });
});

describe('a donor who returns from a bank redirect', () => {
  const setReturnUrl = (form: string) =>
    history.replaceState(
      null,
      '',
      `?keep=1&connect_form=${form}&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_1&redirect_status=succeeded`,
    );

  it('sees the outcome that Stripe reports, and the parameters are removed from the URL', async () => {
    setReturnUrl('gala');
    const donor = await Donor.render();
    await donor.waitForText('Your gift of $50 to Harbor Street Food Bank is complete.');
    expect(location.search).to.equal('?keep=1');
    expect(stripe.retrieved).to.deep.equal(['pi_1_secret_1']);
  });

  it('sees an error when the bank rejected the payment', async () => {
    stripe.retrieve = () => ({
      paymentIntent: {
        id: 'pi_1',
        status: 'requires_payment_method',
        last_payment_error: { type: 'card_error', code: 'payment_intent_authentication_failure' },
      },
    });
    setReturnUrl('gala');
    await (await Donor.render()).waitForText('could not verify your identity');
  });

  it('keeps the parameters while the outcome is unknown, and is not charged again', async () => {
    stripe.retrieve = () => Promise.reject(new Error('no line'));
    setReturnUrl('gala');
    const donor = await Donor.render();
    await donor.waitForText(donationFlow.unknown);
    expect(location.search).to.include('payment_intent_client_secret=pi_1_secret_1');
    expect(stripe.confirmed).to.deep.equal([]);

    stripe.retrieve = () => paid();
    donor.element.remove(); // Simulates a reload.
    const again = await Donor.render();
    await again.waitForText('Your gift of $50 to Harbor Street Food Bank is complete.');
    expect(location.search).to.equal('?keep=1');
  });

  it('keeps the parameters of another form in the URL', async () => {
    setReturnUrl('gala');
    await Donor.open(html`<connect-donate server=${SERVER} form="other"></connect-donate>`);
    expect(location.search).to.include('payment_intent_client_secret');
  });
});
