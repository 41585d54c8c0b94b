import { expect } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { donationTerms } from '../test-support/server.ts';
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

describe('a wallet', () => {
  it('needs no space and leaves no node in a browser without wallets', async () => {
    const donor = await Donor.open();
    const height = donor.element.offsetHeight;
    await donor.fill();
    await waitUntil(() => !donor.find('.wallet'), 'taken away');
    selectAmount(donor, 2500);
    await donor.element.updateComplete;
    expect(walletContainer(donor)).to.equal(null);
    expect(donor.element.offsetHeight).to.be.closeTo(height, 1);
  });

  it('appears only when no visible content moves', async () => {
    stripe.wallets = { applePay: true };
    const donor = await Donor.open();
    donor.type('name', 'M');
    await waitUntil(() => walletContainer(donor)?.firstChild, 'mounted');
    const top = () => donor.find('#name')!.getBoundingClientRect().top;
    const before = top();
    donor.type('name', 'Maya');
    // The wallet reports in this time that it is available, and would move the content.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(top()).to.equal(before);
    selectAmount(donor, 2500);
    await donor.waitFor('.wallet:not(.waiting)');
    expect(walletContainer(donor)!.getBoundingClientRect().height).to.be.above(0);
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
    let cents = 10_000;
    // The wallet appears at the first choice after Stripe has reported that it is available.
    await waitUntil(() => {
      selectAmount(donor, (cents = cents === 10_000 ? 2500 : 10_000));
      return donor.find('.wallet:not(.waiting)');
    }, 'the wallet is shown');
    selectAmount(donor, 5000);
    await donor.element.updateComplete;
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
