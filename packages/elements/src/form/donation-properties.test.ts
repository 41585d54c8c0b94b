import { expect, html, oneEvent } from '@open-wc/testing';
import '../define.ts';
import { paid } from '../test-support/fake-stripe.ts';
import { Donor } from '../test-support/donor.ts';
import { preloadLocales } from '../test-support/preload-locales.ts';
import { donationTerms, SERVER } from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

before(preloadLocales);

const fund_choices = [
  { id: 'fund_meals', name: 'Meals' },
  { id: 'fund_kitchen', name: 'Kitchen' },
];
const terms = { ...donationTerms({ frequencies: ['one_time', 'monthly'] }), fund_choices };

const { warn } = console;
let warnings: string[];

beforeEach(() => {
  server.setForm({ terms });
  warnings = [];
  console.warn = (text: string) => void warnings.push(text);
});
afterEach(() => (console.warn = warn));

const fundOf = (donor: Donor) => donor.find<HTMLSelectElement>('#fund')!.value;

describe('a property of <connect-donate> that changes after the form is drawn', () => {
  it('selects the amount, from a number or a numeric string', async () => {
    const donor = await Donor.open();
    donor.element.amount = '25';
    await donor.waitForText('Give $25');
    donor.element.amount = 60.5;
    await donor.waitForText('Give $60.50');
    expect(donor.find<HTMLInputElement>('#other')!.value).to.equal('60.50');
    expect(warnings).to.deep.equal([]);
  });

  it('selects the frequency and the fund', async () => {
    const donor = await Donor.open();
    Object.assign(donor.element, { frequency: 'monthly', fund: 'Kitchen' });
    await donor.waitForText('Give $50 monthly');
    expect(fundOf(donor)).to.equal('fund_kitchen');
  });

  it('takes effect as an attribute, too', async () => {
    const donor = await Donor.open();
    donor.element.setAttribute('amount', '25');
    await donor.waitForText('Give $25');
  });

  it('restores the form’s own default when it is removed', async () => {
    const donor = await Donor.open(html`
      <connect-donate
        server=${SERVER}
        amount="25"
        frequency="monthly"
        fund="fund_kitchen"
      ></connect-donate>
    `);
    await donor.waitForText('Give $25 monthly');
    Object.assign(donor.element, { amount: null, frequency: null, fund: null });
    await donor.waitForText(/Give \$50(?! monthly)/);
    expect(fundOf(donor)).to.equal('fund_meals');
  });

  it('keeps what the donor has chosen in the other fields', async () => {
    const donor = await Donor.open(
      html`<connect-donate server=${SERVER} amount="25"></connect-donate>`,
    );
    await donor.waitForText('Give $25');
    donor.select(10_000);
    await donor.waitForText('Give $100');
    donor.element.frequency = 'monthly';
    await donor.waitForText('Give $100 monthly');
  });

  it('updates the card fields and dispatches connect-change', async () => {
    const donor = await Donor.open();
    await donor.fill();
    const amounts: (number | undefined)[] = [];
    donor.element.addEventListener('connect-change', ({ amountCents }) =>
      amounts.push(amountCents),
    );
    donor.element.amount = 25;
    await waitUntil(() => stripe.sheetAmount === 2500, 'updated');
    expect(stripe.updates.filter(({ amount }) => amount)).to.deep.equal([{ amount: 2500 }]);
    expect(amounts).to.deep.equal([2500]);
    stripe.confirm = () => paid(2500);
    donor.submit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')[0]!.body['amount_cents']).to.equal(2500);
  });

  it('does not change a payment in progress, but the form after it', async () => {
    server.setForm({ terms: donationTerms({}) });
    const donor = await Donor.open();
    await donor.fill();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { confirm } = stripe;
    stripe.confirm = async (...options) => {
      await promise;
      return confirm(...options);
    };
    donor.submit();
    await waitUntil(() => server.requestsTo('/payment-intents').length === 1, 'submitted');
    donor.element.amount = 25;
    await donor.element.updateComplete;
    expect(donor.find('[value="5000"]')).to.have.property('checked', true);
    resolve();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')[0]!.body['amount_cents']).to.equal(5000);
    donor.find('.thank-you button:last-child')!.click();
    await donor.waitForText('Give $25');
  });

  it('is not stored like the input of a donor, and does not change a thank-you page', async () => {
    const donor = await Donor.open();
    donor.element.amount = 25;
    await donor.waitForText('Give $25');
    expect(Object.keys(sessionStorage)).to.deep.equal([]);
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    const stored = JSON.stringify(sessionStorage);
    donor.element.amount = 30;
    await donor.element.updateComplete;
    expect(JSON.stringify(sessionStorage)).to.equal(stored);
  });

  it('is applied before the form is drawn, also beside an empty amount', async () => {
    const ready = oneEvent(document, 'connect-ready'); // It may come before `render` returns.
    const donor = await Donor.render(
      html`<connect-donate server=${SERVER} amount="" frequency="monthly"></connect-donate>`,
    );
    await ready;
    await donor.element.updateComplete;
    expect(donor.text).to.include('Give $50 monthly');
  });

  it('keeps the page’s amount when another frequency has other presets', async () => {
    const preset_amounts_by_frequency = { monthly: [1000, 2000] };
    server.setForm({
      terms: donationTerms({ frequencies: ['one_time', 'monthly'], preset_amounts_by_frequency }),
    });
    const donor = await Donor.open(
      html`<connect-donate server=${SERVER} amount="50"></connect-donate>`,
    );
    await donor.waitForText('Give $50');
    donor.element.frequency = 'monthly';
    await donor.waitForText('Give $50 monthly');
  });

  it('is reported in the console if the form does not offer the value', async () => {
    const donor = await Donor.open();
    const invalid = { amount: 2, frequency: 'yearly', fund: 'fund_9', loading: 'soon' };
    Object.assign(donor.element, { ...invalid, analytics: 'ga3', theme: 'pink', display: 'popup' });
    for (const name of [...Object.keys(invalid), 'analytics', 'theme', 'display']) {
      const prefix = `<connect-donate> ${name}="`;
      await waitUntil(() => warnings.some((text) => text.startsWith(prefix)), name);
    }
    await donor.waitForText('Give $50');
    donor.element.appearance = 'night' as never;
    const expected = '<connect-donate> appearance="night": must be a JSON object.';
    await waitUntil(() => warnings.includes(expected), 'appearance');
    donor.element.messages = ['Give'] as never;
    const ofArray = '<connect-donate> messages="Give": must be a JSON object.';
    await waitUntil(() => warnings.includes(ofArray), 'messages');
  });
});
