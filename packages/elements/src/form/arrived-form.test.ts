import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import {
  embedForm,
  errorResponse,
  jsonResponse,
  publicForm,
  SERVER,
} from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { createPageState, embedFormUrl, type FormRequest } from '../shared/page-state.ts';
import { waitForForm } from './define-form.ts';
import { STORAGE_KEY } from './pending-payment.ts';

const pageState = createPageState()!;
const URL_OF_FORM = embedFormUrl({ server: SERVER, name: 'gala' });

/** More microtasks than opening a form takes. */
const MANY = 100;

/** Adds a form to the page, as if the loader had made a request. Ends in the same task. */
async function addForm(request: FormRequest, attributes: Record<string, string> = {}) {
  const main = await fixture<HTMLElement>(html`<main></main>`);
  pageState.requests[URL_OF_FORM] = request;
  const element = document.createElement('connect-donate');
  const all = { server: SERVER, form: 'gala', ...attributes };
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  main.append(element);
  for (let index = 0; index < MANY; index += 1) await Promise.resolve();
  return new Donor(element);
}

describe('a form that has arrived before its element is defined', () => {
  afterEach(() => {
    pageState.requests = {};
    sessionStorage.removeItem(STORAGE_KEY);
  });

  it('is drawn in one task, without a placeholder', async () => {
    const donor = await addForm({ form: publicForm() });
    expect(donor.element).to.have.attribute('state', 'ready');
    expect(donor.find('form .primary')!.textContent.trim()).to.equal('Give $50');
    expect(donor.find('.skeleton')).to.equal(null);
    expect(server.requestsTo('/embed-form')).to.have.length(0);
  });

  it('is used once, so that a form opened later is not an old one', async () => {
    await addForm({ form: publicForm() });
    expect(pageState.requests).to.deep.equal({});
  });

  const pounds = { form: publicForm(embedForm({ currency: 'gbp' })) };
  for (const [description, request, attributes] of [
    ['its currency needs the browser’s locale data', pounds, {}],
    ['its language has to be loaded', {}, { locale: 'de' }],
    ['an attribute preselects an amount', {}, { amount: '25' }],
  ] as const) {
    it(`has a placeholder while ${description}`, async () => {
      const donor = await addForm({ form: publicForm(), ...request }, attributes);
      expect(donor.find('.skeleton')).not.to.equal(null);
      await donor.whenDrawn();
    });
  }

  it('has a placeholder while an earlier payment is looked up', async () => {
    sessionStorage.setItem(STORAGE_KEY, '{}');
    const donor = await addForm({ form: publicForm() });
    expect(donor.find('.skeleton')).not.to.equal(null);
    await donor.whenDrawn();
  });
});

describe('a form that has been requested before its element is defined', () => {
  afterEach(() => {
    pageState.requests = {};
  });

  it('is waited for', async () => {
    const request: FormRequest = { response: Promise.resolve(jsonResponse(publicForm())) };
    pageState.requests[URL_OF_FORM] = request;
    await waitForForm();
    expect(request.form).to.deep.equal(publicForm());
    const donor = await addForm(request);
    expect(donor.element).to.have.attribute('state', 'ready');
  });

  it('has a placeholder if its response takes long', async () => {
    const response = Promise.withResolvers<Response>();
    const request: FormRequest = { response: response.promise };
    pageState.requests[URL_OF_FORM] = request;
    await waitForForm();
    const donor = await addForm(request);
    expect(donor.find('.skeleton')).not.to.equal(null);
    response.resolve(jsonResponse(publicForm()));
    await donor.whenDrawn();
  });

  it('shows the error of its response', async () => {
    const request: FormRequest = {
      response: Promise.resolve(errorResponse('not_found', 'form: there is no form "gala".')),
    };
    pageState.requests[URL_OF_FORM] = request;
    await waitForForm();
    const donor = await addForm(request);
    await donor.waitForText('The donation form is not available right now');
    expect(server.requestsTo('/embed-form')).to.have.length(0);
  });

  it('is requested again if its response is not JSON', async () => {
    const request: FormRequest = { response: Promise.resolve(new Response('<h1>Sign in</h1>')) };
    pageState.requests[URL_OF_FORM] = request;
    await waitForForm();
    const donor = await addForm(request);
    await donor.whenDrawn();
    expect(server.requestsTo('/embed-form')).to.have.length(1);
  });

  it('is not waited for on a page that has requested none', async () => {
    let hasEnded = false;
    void waitForForm().then(() => (hasEnded = true));
    for (let index = 0; index < MANY; index += 1) await Promise.resolve();
    expect(hasEnded).to.equal(true);
  });
});
