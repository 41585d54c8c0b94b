import type { DonationTermsInput } from '@connect-embed/contract';
import { expect, html } from '@open-wc/testing';
import '../define.ts';
import { navigation } from './thank-you.ts';
import { Donor } from '../test-support/donor.ts';
import { preloadLocales } from '../test-support/preload-locales.ts';
import { FUNDS, donationTerms, SERVER } from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { paid } from '../test-support/fake-stripe.ts';
import { waitUntil } from '../test-support/wait-until.ts';

before(preloadLocales);

/** Renders a form with these terms. */
function openForm(input: DonationTermsInput) {
  server.setForm({ terms: donationTerms(input, FUNDS) });
  return Donor.open();
}

const sentDonation = () => server.requestsTo('/payment-intents')[0]!.body;

async function submitAndWait(donor: Donor) {
  await donor.fillAndSubmit();
  await donor.waitForText('Thank you');
}

describe('the frequency', () => {
  const recurringTerms: DonationTermsInput = {
    frequencies: ['one_time', 'monthly', 'yearly'],
    preset_amounts_by_frequency: { monthly: [1000, 2000] },
  };

  it('is shown only if there is a choice', async () => {
    const donor = await openForm({});
    expect(donor.find('[name=frequency]')).to.equal(null);
    await submitAndWait(donor);
    expect(sentDonation()).not.to.have.property('frequency');
  });

  it('has its own preset amounts and button label', async () => {
    const donor = await openForm(recurringTerms);
    await donor.waitForText('Give $50');
    donor.select('monthly');
    await donor.waitFor('input[value="1000"]');
    expect(donor.find('input[value="5000"]')).to.equal(null);
    expect(donor.find('input[name=amount]:checked')).to.equal(null);
    donor.select(2000);
    await donor.waitForText('Give $20 monthly');
    stripe.confirm = () => paid(2000);
    await submitAndWait(donor);
    await donor.waitForText('your first monthly gift');
    await donor.waitForText(
      'Use the link in your receipt to change, pause, or cancel your recurring gift.',
    );
    expect(sentDonation()).to.include({ frequency: 'monthly', amount_cents: 2000 });
  });

  it('mentions no receipt link if the organization sends no receipts', async () => {
    server.setForm({ terms: donationTerms(recurringTerms, FUNDS), receipts: false });
    const donor = await Donor.open();
    donor.select('monthly');
    await donor.waitFor('input[value="2000"]');
    donor.select(2000);
    await donor.fillAndSubmit();
    await donor.waitForText('your first monthly gift');
    expect(donor.find('.thank-you')!.textContent).not.to.include('receipt');
  });

  it('sets the subscription mode of the card fields', async () => {
    const donor = await openForm(recurringTerms);
    await donor.fill();
    expect(stripe.options).to.include({ mode: 'payment', amount: 5000 });
    donor.select('yearly');
    const modes = () => stripe.updates.filter(({ mode }) => mode);
    await waitUntil(() => modes().length > 0, 'Stripe is updated');
    expect(modes()).to.deep.equal([{ mode: 'subscription' }]);
  });

  it('is sent as one_time if the form offers others', async () => {
    const donor = await openForm(recurringTerms);
    await submitAndWait(donor);
    expect(sentDonation()).to.include({ frequency: 'one_time' });
  });
});

describe('the card fee', () => {
  it('is added with the total shown', async () => {
    const donor = await openForm({ fee_cover: 'offered' });
    await donor.waitForText('Add $1.81 to cover the processing fee');
    await donor.waitForText('$50 + $1.81 = $51.81. The organization receives the full $50.');
    expect(donor.text).to.include('Give $50');
    donor.check('coverFee');
    await donor.waitForText('Give $51.81');
    stripe.confirm = () => paid(5181);
    await submitAndWait(donor);
    expect(sentDonation()).to.include({ amount_cents: 5181, fee_cover_cents: 181 });
    expect(stripe.options).to.include({ amount: 5181 });
  });

  it('can be removed when it is preselected', async () => {
    const donor = await openForm({ fee_cover: 'preselected' });
    await donor.waitForText('Give $51.81');
    donor.check('coverFee');
    await submitAndWait(donor);
    expect(sentDonation()['amount_cents']).to.equal(5000);
    expect(sentDonation()).not.to.have.property('fee_cover_cents');
  });

  it('follows the amount that the donor types', async () => {
    const donor = await openForm({ fee_cover: 'preselected' });
    donor.type('other', '');
    await donor.waitForText('Cover the processing fee');
    donor.type('other', '100');
    await donor.waitForText('Give $103.30');
  });

  it('is not shown when it is off', async () => {
    expect((await openForm({})).find('[name=coverFee]')).to.equal(null);
  });
});

describe('fund and optional fields', () => {
  it('sends the fund that the donor chooses', async () => {
    const donor = await openForm({ fund_choice_ids: ['fund_1', 'fund_2'] });
    const select = donor.find<HTMLSelectElement>('#fund')!;
    expect([...select.options].map(({ text }) => text)).to.deep.equal([
      'Weekend meals',
      'Mobile kitchen',
    ]);
    select.value = 'fund_2';
    select.dispatchEvent(new Event('change'));
    await submitAndWait(donor);
    expect(sentDonation()['fund_id']).to.equal('fund_2');
  });

  it('sends the optional fields that are filled in, and no empty ones', async () => {
    const donor = await openForm({
      allow_anonymous: true,
      allow_comment: true,
      allow_dedication: true,
    });
    donor.find('summary')!.focus();
    donor.find('summary')!.click();
    await donor.waitFor('#dedication');
    donor.type('dedication', ' Ada Lovelace ');
    donor.check('anonymous');
    await submitAndWait(donor);
    expect(sentDonation()['metadata']).to.deep.equal({
      dedication: 'Ada Lovelace',
      anonymous: 'true',
    });
  });

  it('shows no optional fields that the form does not have', async () => {
    const donor = await openForm({});
    expect(donor.find('details, [type=checkbox]')).to.equal(null);
    await submitAndWait(donor);
    expect(sentDonation()).not.to.have.property('metadata');
  });
});

describe('a typed amount', () => {
  for (const [currency, language, typed, cents, button, thanks = 'Thank you, Maya'] of [
    ['eur', 'de', '1.234,50', 123_450, '1.234,50 € spenden', 'Vielen Dank, Maya'],
    ['usd', 'en', 'US$ 1,234.50', 123_450, 'Give $1,234.50'],
    ['usd', 'ar-EG', '١٢٫٥٠', 1250, '١٢٫٥٠ US$', 'شكرًا لك'],
    ['inr', 'hi', '₹१२,३४५', 1_234_500, '₹12,345 दान करें', 'धन्यवाद, Maya'],
    ['jpy', 'ja', '￥5,000', 5000, '￥5,000を寄付する', 'Maya様、ありがとうございます'],
    ['kwd', 'en', '12.34', 12_340, 'Give KWD 12.340'],
  ] as const) {
    it(`is parsed: ${typed} in ${currency}, ${language}`, async () => {
      const terms = donationTerms({
        min_amount_cents: 100,
        max_amount_cents: 9_000_000,
        default_amount_cents: 2500,
      });
      server.setForm({ terms, currency });
      const donor = await Donor.open(html`
        <div lang=${language}><connect-donate server=${SERVER}></connect-donate></div>
      `);
      await donor.fill();
      donor.type('other', typed);
      await donor.waitForText(button);
      donor.submit();
      await donor.waitForText(thanks);
      expect(sentDonation()['amount_cents']).to.equal(cents);
    });
  }

  it('has a hint with the minimum and maximum', async () => {
    await (await openForm({})).waitForText('Any amount from $5 to $10,000.');
  });
});

describe('the question whether to give monthly', () => {
  const terms: DonationTermsInput = {
    frequencies: ['one_time', 'monthly'],
    preset_amounts_by_frequency: { monthly: [1000, 2500, 5000] },
  };
  const question = (donor: Donor) => donor.find<HTMLButtonElement>('.monthly')!;

  it('offers the next lower monthly amount, and changes the donation with one press', async () => {
    const donor = await openForm(terms);
    expect(question(donor).textContent.trim()).to.equal('Give $25 a month instead?');
    question(donor).click();
    await donor.waitForText('Give $25 monthly');
    expect(donor.element.shadowRoot!.activeElement).to.have.property('value', 'monthly');
    await submitAndWait(donor);
    expect(sentDonation()).to.include({ amount_cents: 2500, frequency: 'monthly' });
  });

  it('follows the amount, and keeps its line while there is no lower one', async () => {
    const donor = await openForm(terms);
    donor.type('other', '12');
    await donor.waitForText('Give $10 a month instead?');
    const { height } = donor.element.getBoundingClientRect();
    donor.type('other', '6');
    await donor.waitForText('Give $6');
    expect(question(donor).checkVisibility({ visibilityProperty: true })).to.equal(false);
    expect(donor.element.getBoundingClientRect().height).to.equal(height);
  });

  it('gives the earlier amount back to a donor who returns to one-time', async () => {
    const donor = await openForm(terms);
    donor.type('other', '137');
    await donor.waitForText('Give $50 a month instead?');
    question(donor).click();
    await donor.waitForText('Give $50 monthly');
    donor.select('one_time');
    await donor.waitForText('Give $137');
    expect(question(donor)).to.equal(null);
  });

  it('is not asked again once the donor has chosen a frequency', async () => {
    const donor = await openForm(terms);
    donor.select('monthly');
    await donor.waitForText('monthly');
    donor.select('one_time');
    await donor.element.updateComplete;
    expect(question(donor)).to.equal(null);
  });

  it('is not asked by a form without monthly donations, or without a lower monthly amount', async () => {
    expect(question(await openForm({}))).to.equal(null);
    const locked = { ...terms, preset_amounts_cents: [1000], default_amount_cents: 1000 };
    expect(question(await openForm({ ...locked, amount_locked: true }))).to.equal(null);
  });
});

describe('query parameters of the page', () => {
  it('prefill only the fields that the form allows', async () => {
    history.replaceState(
      null,
      '',
      '?donor_name=Maya&donor_email=m%40example.org&amount_cents=10000',
    );
    const donor = await openForm({ prefill_from_url: ['donor_name', 'amount_cents'] });
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya');
    expect(donor.find<HTMLInputElement>('#email')!.value).to.equal('');
    await donor.waitForText('Give $100');
  });

  it('set amount and frequency, in either order of the allowed keys', async () => {
    history.replaceState(null, '', '?amount_cents=10000&frequency=monthly');
    const donor = await openForm({
      prefill_from_url: ['amount_cents', 'frequency'],
      frequencies: ['one_time', 'monthly'],
      preset_amounts_by_frequency: { monthly: [1500] },
    });
    await donor.waitForText('Give $100 monthly');
  });

  it('are ignored if the form does not offer the value', async () => {
    history.replaceState(null, '', '?amount_cents=1&frequency=monthly&fund_id=fund_9');
    const donor = await openForm({
      prefill_from_url: ['amount_cents', 'frequency', 'fund_id'],
      fund_choice_ids: ['fund_1', 'fund_2'],
    });
    await donor.waitForText('Give $50');
    expect(donor.find<HTMLSelectElement>('#fund')!.value).to.equal('fund_1');
  });
});

describe('a form with a success_url', () => {
  const leave = navigation.to;
  afterEach(() => (navigation.to = leave));

  it('redirects to it with the payment intent’s id', async () => {
    const left: string[] = [];
    navigation.to = (url) => left.push(url);
    const donor = await openForm({ success_url: 'https://example.org/thanks?from=gala' });
    await submitAndWait(donor);
    expect(left).to.deep.equal(['https://example.org/thanks?from=gala&payment_intent=pi_1']);
  });
});
