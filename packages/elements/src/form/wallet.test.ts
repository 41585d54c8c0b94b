import { expect, html } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { donationTerms, SERVER } from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { declined, paid } from '../test-support/fake-stripe.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const walletContainer = (donor: Donor) =>
  donor.element.querySelector<HTMLElement>('[slot$=-wallet]');

function selectAmount(donor: Donor, cents: number) {
  const radio = donor.find<HTMLInputElement>(`input[value="${cents}"]`)!;
  radio.focus();
  radio.click();
}

const topOf = (donor: Donor, selector: string) => donor.find(selector)!.getBoundingClientRect().top;

describe('a wallet', () => {
  it('has its space before anybody uses the form, so that nothing moves when its buttons appear', async () => {
    stripe.wallets = { applePay: true };
    const donor = await Donor.open();
    // The page itself may scroll to the field.
    const distance = () => topOf(donor, '#name') - topOf(donor, 'h2');
    const before = distance();
    expect(donor.find('.wallet')!.offsetHeight).to.equal(48);
    await donor.fill();
    await donor.waitFor('.wallet.ready');
    expect(distance()).to.equal(before);
    expect(walletContainer(donor)!.getBoundingClientRect().height).to.be.above(0);
  });

  it('gives its space back without wallets, and keeps the field in use where it is on the screen', async () => {
    const donor = await Donor.open(html`
      <div style="padding-block: 1000px">
        <connect-donate server=${SERVER}></connect-donate>
      </div>
    `);
    const height = donor.element.offsetHeight;
    donor.find('#name')!.scrollIntoView();
    donor.find('#name')!.focus({ preventScroll: true });
    const before = topOf(donor, '#name');
    await waitUntil(() => !donor.find('.wallet'), 'taken away');
    await waitUntil(() => !walletContainer(donor), 'its container is removed');
    await waitUntil(
      () => Math.abs(topOf(donor, '#name') - before) < 1,
      'the field is in its place',
    );
    expect(donor.element.offsetHeight).to.be.below(height - 48);
  });

  it('keeps its space, empty, while there is not enough to scroll', async () => {
    scrollTo(0, 0);
    const donor = await Donor.open();
    const before = topOf(donor, '#name');
    donor.find('#name')!.focus({ preventScroll: true });
    await donor.waitFor('.wallet.empty');
    await donor.element.updateComplete;
    expect(topOf(donor, '#name')).to.equal(before);
    selectAmount(donor, 2500); // Nothing that the donor uses is below the row now.
    await waitUntil(() => !donor.find('.wallet'), 'taken away');
  });

  it('keeps its space without wallets until the form is used, so that nothing moves before', async () => {
    server.setForm({ terms: donationTerms({ card_loading: 'eager' }) });
    const donor = await Donor.open();
    const height = donor.element.offsetHeight;
    await waitUntil(() => stripe.mounts === 1, 'the card is loaded');
    await waitUntil(() => !walletContainer(donor), 'the wallet is known to be missing');
    expect(donor.element.offsetHeight).to.equal(height);
    selectAmount(donor, 2500);
    await waitUntil(() => !donor.find('.wallet'), 'taken away');
  });
});

describe('a donation by wallet', () => {
  const BILLING = { name: 'Wallis Wallet', email: 'wallis@example.org' };
  const sentDonations = () => server.requestsTo('/payment-intents').map(({ body }) => body);

  /**
   * Renders a form with every option that changes the amount, in a browser with a wallet, and waits
   * until the wallet is shown.
   */
  async function openForm(): Promise<Donor> {
    stripe.wallets = { applePay: true };
    server.setForm({
      terms: donationTerms({ frequencies: ['one_time', 'monthly'], fee_cover: 'offered' }),
    });
    const donor = await Donor.open();
    selectAmount(donor, 5000);
    await donor.waitFor('.wallet.ready');
    return donor;
  }

  it('is above the donor’s details and the card fields', async () => {
    const donor = await openForm();
    const { bottom } = walletContainer(donor)!.getBoundingClientRect();
    expect(bottom).to.be.at.most(donor.find('#name')!.getBoundingClientRect().top);
    expect(bottom).to.be.at.most(donor.find('.payment')!.getBoundingClientRect().top);
  });

  const changes: [string, (donor: Donor) => void, Record<string, unknown>][] = [
    ['amount', (donor) => selectAmount(donor, 10_000), { amount_cents: 10_000 }],
    ['custom amount', (donor) => donor.type('other', '37.50'), { amount_cents: 3750 }],
    ['frequency', (donor) => donor.select('monthly'), { amount_cents: 5000, frequency: 'monthly' }],
    ['fee cover', (donor) => donor.check('coverFee'), { amount_cents: 5181, fee_cover_cents: 181 }],
  ];
  for (const [description, change, expected] of changes) {
    it(`charges the amount in its sheet after a change of ${description}, once despite two clicks`, async () => {
      const donor = await openForm();
      stripe.confirm = () => paid(Number(expected['amount_cents']));
      change(donor);
      await donor.element.updateComplete;
      await Promise.all([stripe.clickWallet(), stripe.clickWallet()]);
      expect(stripe.walletClicks).to.deep.equal(['resolved', 'resolved']);
      expect(stripe.sheetAmount).to.equal(expected['amount_cents']);
      await Promise.all([stripe.confirmWallet(BILLING), stripe.confirmWallet(BILLING)]);
      await donor.waitForText('Thank you');
      expect(sentDonations()).to.have.length(1);
      expect(sentDonations()[0]).to.include({ ...expected, donor_email: BILLING.email });
      expect(stripe.confirmed).to.have.length(1);
    });
  }

  it('is rejected if the form has changed while its sheet was open', async () => {
    const donor = await openForm();
    await stripe.clickWallet();
    selectAmount(donor, 10_000);
    await donor.element.updateComplete;
    await stripe.confirmWallet(BILLING);
    expect(stripe.walletFailures).to.equal(1);
    expect(sentDonations()).to.deep.equal([]);
  });

  it('leaves the form usable when its sheet is closed', async () => {
    const donor = await openForm();
    await stripe.clickWallet();
    stripe.cancelWallet();
    await stripe.confirmWallet(BILLING); // An offer from before is no longer valid.
    expect(stripe.walletFailures).to.equal(1);
    expect(donor.find('.primary')!.getAttribute('aria-disabled')).not.to.equal('true');
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(sentDonations()).to.have.length(1);
  });

  it('shows a decline in the sheet and in the form, which accepts another card', async () => {
    const donor = await openForm();
    stripe.confirm = () => declined('insufficient_funds');
    await stripe.clickWallet();
    await stripe.confirmWallet(BILLING);
    expect(stripe.walletFailures).to.equal(1);
    await donor.waitFor('[part=message]');
    stripe.confirm = () => paid();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(stripe.confirmed).to.have.length(2);
  });

  it('shows its progress, and rejects a second one meanwhile', async () => {
    const donor = await openForm();
    let finish = () => {};
    stripe.confirm = () => new Promise((resolve) => (finish = () => resolve(paid())));
    await stripe.clickWallet();
    const paying = stripe.confirmWallet(BILLING);
    await waitUntil(() => stripe.confirmed.length === 1, 'the payment is confirmed');
    expect(donor.find('.primary')!.textContent.trim()).not.to.match(/^Give \$/);
    await stripe.clickWallet();
    expect(stripe.walletClicks.at(-1)).to.equal('rejected');
    donor.submit();
    finish();
    await paying;
    await donor.waitForText('Thank you');
    expect(sentDonations()).to.have.length(1);
  });
});
