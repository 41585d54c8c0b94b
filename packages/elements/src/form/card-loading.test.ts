import { expect, fixture, html } from '@open-wc/testing';
import type { CardLoadingMode } from '@connect-embed/contract';
import type { ConnectDonate } from '../connect-donate.ts';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { donationTerms, SERVER } from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';
import { recordWarnings } from '../test-support/warnings.ts';

const warnings = recordWarnings();

/** Renders a form with a `card_loading` setting, and optionally a `loading` attribute. */
async function arrive(formSetting: CardLoadingMode, page?: string): Promise<Donor> {
  server.setForm({ terms: donationTerms({ card_loading: formSetting }) });
  const container = await fixture(html`<div></div>`);
  const element = document.createElement('connect-donate') as ConnectDonate;
  element.server = SERVER;
  if (page) element.setAttribute('loading', page);
  container.append(element);
  const donor = new Donor(element);
  await donor.waitForText('Give $50');
  return donor;
}

/**
 * Waits until everything that loads by itself is loaded: the code of the donation flow, and a few
 * renders.
 */
async function settled(donor: Donor) {
  await import('./donation-flow.ts');
  for (let times = 0; times < 3; times += 1) {
    await donor.element.updateComplete;
    await new Promise(requestAnimationFrame);
  }
}

describe('the card fields', () => {
  it('are loaded when the donor first interacts, and not before', async () => {
    const donor = await arrive('interaction');
    await settled(donor);
    expect(stripe.mounts).to.equal(0);
    await donor.fill();
    expect(stripe.mounts).to.equal(1);
  });

  for (const moment of ['eager', 'visible'] as const) {
    it(`are loaded once without interaction if the form says ${moment}`, async () => {
      const donor = await arrive(moment);
      await waitUntil(() => stripe.mounts === 1, 'the card is there');
      await donor.fill();
      expect(stripe.mounts).to.equal(1);
      expect(warnings).to.deep.equal([]);
    });
  }

  it('are loaded later if the page’s loading attribute says so', async () => {
    const donor = await arrive('eager', 'interaction');
    await settled(donor);
    expect(stripe.mounts).to.equal(0);
    expect(warnings).to.deep.equal([]);
  });

  it('are loaded when the page changes loading to eager', async () => {
    const donor = await arrive('eager', 'interaction');
    await settled(donor);
    expect(stripe.mounts).to.equal(0);
    donor.element.loading = 'eager';
    await waitUntil(() => stripe.mounts === 1, 'loaded');
  });

  for (const [formSetting, page] of [
    ['interaction', 'eager'],
    ['interaction', 'visible'],
    ['interaction', 'lazy'],
  ] as const) {
    it(`are not loaded earlier than the form says, despite loading="${page}"`, async () => {
      const donor = await arrive(formSetting, page);
      await settled(donor);
      expect(stripe.mounts).to.equal(0);
      expect(warnings.join()).to.include(`loading="${page}": must be interaction`);
    });
  }

  it('do not take the focus from a donor who has moved on to another field', async () => {
    const donor = await arrive('interaction');
    const { promise: drawn, resolve: draw } = Promise.withResolvers<void>();
    stripe.drawn = drawn;
    donor.find('.card-skeleton')!.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    await waitUntil(() => stripe.mounts === 1, 'the card is being drawn');
    donor.type('name', 'Maya');
    draw();
    await donor.waitFor('.payment-fields:not(.waiting)');
    await settled(donor);
    expect(donor.focused?.id).to.equal('name');
  });

  it('are loaded again for the next donation', async () => {
    const donor = await arrive('eager');
    await donor.fill();
    donor.submit();
    await donor.waitForText('Thank you');
    donor.find('.thank-you button:last-child')!.click();
    await waitUntil(() => stripe.mounts === 2, 'the card is there again');
  });
});
