import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { paid, type StripeResult } from '../test-support/fake-stripe.ts';
import { preloadLocales } from '../test-support/preload-locales.ts';
import {
  embedForm,
  errorResponse,
  intent,
  jsonResponse,
  publicForm,
  SERVER,
} from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { createPageState, embedFormUrl } from '../shared/page-state.ts';
import { STORAGE_KEY } from './pending-payment.ts';

const pageState = createPageState()!;
const URL_OF_FORM = embedFormUrl({ server: SERVER, name: 'gala' });

/** A form that was drawn, and whether a placeholder was drawn before it. */
type Drawn = Donor & { hadPlaceholder: boolean };

/** Adds a form to the page, as if the loader had made a request. */
async function addForm(
  response: Promise<Response>,
  attributes: Record<string, string> = {},
): Promise<Drawn> {
  const main = await fixture<HTMLElement>(html`<main></main>`);
  pageState.requests[URL_OF_FORM] = { response };
  const element = document.createElement('connect-donate');
  const all = { server: SERVER, form: 'gala', ...attributes };
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  main.append(element);
  const donor = Object.assign(new Donor(element), { hadPlaceholder: false });
  const observer = new MutationObserver(() => (donor.hadPlaceholder ||= !!donor.find('.skeleton')));
  observer.observe(element.shadowRoot!, { childList: true, subtree: true });
  return donor;
}

const respond = (form = publicForm()) => Promise.resolve(jsonResponse(form));

describe('a form that has been requested before its element is defined', () => {
  before(preloadLocales);
  afterEach(() => {
    pageState.requests = {};
    sessionStorage.removeItem(STORAGE_KEY);
  });

  const pounds = publicForm(embedForm({ currency: 'gbp' }));
  for (const [description, form, attributes] of [
    ['it has arrived', publicForm(), {}],
    ['its currency needs the browser’s locale data', pounds, {}],
    ['its language has to be loaded', publicForm(), { locale: 'de' }],
    ['an attribute preselects an amount', publicForm(), { amount: '25' }],
  ] as const) {
    it(`is drawn without a placeholder: ${description}`, async () => {
      const donor = await addForm(respond(form), attributes);
      await donor.whenDrawn();
      expect(donor.hadPlaceholder).to.equal(false);
      expect(donor.element).to.have.attribute('state', 'ready');
      expect(server.requestsTo('/embed-form')).to.have.length(0);
    });
  }

  it('is not drawn in the task in which it is added, so that the task is short', async () => {
    const donor = await addForm(respond());
    for (let microtasks = 0; microtasks < 100; microtasks += 1) await Promise.resolve();
    expect(donor.find('form')).to.equal(null);
    await donor.whenDrawn();
  });

  it('keeps the height that the page reserves for the undefined tag until it is drawn', async () => {
    const main = await fixture<HTMLElement>(html`<main></main>`);
    pageState.requests[URL_OF_FORM] = { response: respond() };
    // An element of a document without custom elements is upgraded when it is adopted.
    const inert = document.implementation.createHTMLDocument().createElement('connect-donate');
    inert.setAttribute('server', SERVER);
    inert.setAttribute('form', 'gala');
    const style = document.createElement('style');
    style.textContent = ':not(:defined) { display: block; min-block-size: 1500px }';
    main.append(style, inert);
    expect(inert.matches(':defined')).to.equal(true);
    expect(inert.offsetHeight).to.equal(1500);
    await new Donor(inert as Donor['element']).whenDrawn();
    expect(inert.offsetHeight).to.equal(1500);
  });

  it('is used once, so that a form opened later is not an old one', async () => {
    await (await addForm(respond())).whenDrawn();
    expect(pageState.requests).to.deep.equal({});
  });

  it('has a placeholder while an earlier payment is looked up', async () => {
    const attempt = { key: 'key_1', donation: { amount_cents: 5000 }, intent: intent() };
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ [`${SERVER} gala`]: attempt }));
    const { promise, resolve } = Promise.withResolvers<StripeResult>();
    stripe.retrieve = () => promise;
    const donor = await addForm(respond());
    await donor.waitFor('.skeleton');
    resolve(paid());
    await donor.waitForText('Thank you');
  });

  it('has a placeholder if its response takes long', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const donor = await addForm(promise);
    await donor.waitFor('.skeleton');
    resolve(jsonResponse(publicForm()));
    await donor.whenDrawn();
  });

  it('shows the error of its response', async () => {
    const donor = await addForm(
      Promise.resolve(errorResponse('not_found', 'form: there is no form "gala".')),
    );
    await donor.waitForText('The donation form is not available right now');
    expect(server.requestsTo('/embed-form')).to.have.length(0);
  });

  it('is requested again if its response is not JSON', async () => {
    const donor = await addForm(Promise.resolve(new Response('<h1>Sign in</h1>')));
    await donor.whenDrawn();
    expect(server.requestsTo('/embed-form')).to.have.length(1);
  });
});
