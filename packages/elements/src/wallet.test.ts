import { expect } from '@open-wc/testing';
import './define.ts';
import { Donor } from './test-support/donor.ts';
import { stripe } from './test-support/set-up.ts';
import { waitUntil } from './test-support/wait-until.ts';

const place = (donor: Donor) => donor.element.querySelector<HTMLElement>('[slot$=-wallet]');

function choose(donor: Donor, cents: number) {
  const radio = donor.find<HTMLInputElement>(`input[value="${cents}"]`)!;
  radio.focus();
  radio.click();
}

describe('a wallet', () => {
  it('takes no room, and leaves no element, in a browser without one', async () => {
    const donor = await Donor.arrive();
    const height = donor.element.offsetHeight;
    await donor.fill();
    await waitUntil(() => !donor.find('.wallet'), 'taken away');
    choose(donor, 2500);
    await donor.element.updateComplete;
    expect(place(donor)).to.equal(null);
    expect(donor.element.offsetHeight).to.be.closeTo(height, 1);
  });

  it('waits for a moment at which it moves nothing that is in view', async () => {
    stripe.wallets = { applePay: true };
    const donor = await Donor.arrive();
    donor.type('name', 'M');
    await waitUntil(() => place(donor)?.firstChild, 'mounted');
    const top = () => donor.find('#name')!.getBoundingClientRect().top;
    const before = top();
    donor.type('name', 'Maya');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(top()).to.equal(before);
    choose(donor, 2500);
    await donor.shows('.wallet:not(.waiting)');
    expect(place(donor)!.getBoundingClientRect().height).to.be.above(0);
  });
});
