import { expect } from '@open-wc/testing';
import './define.ts';
import { Donor } from './test-support/donor.ts';
import { fullTerms } from './test-support/server.ts';
import { server } from './test-support/set-up.ts';

beforeEach(() => server.setForm({ terms: fullTerms() }));

describe('magnified text and pointer targets', () => {
  const open = async () => {
    const donor = await Donor.open();
    donor.find('summary')!.click();
    donor.submit();
    await donor.waitForText('Check 3 fields');
    return donor;
  };
  it('has targets of at least 24 pixels', async () => {
    const donor = await open();
    for (const target of donor.all(
      'button, input:not([aria-hidden]), select, textarea, summary, a',
    )) {
      const { width, height } = (target.closest('label') ?? target).getBoundingClientRect();
      expect(Math.min(width, height), target.outerHTML).to.be.at.least(24);
    }
  });

  for (const width of [280, 320, 640]) {
    it(`cuts off no text with increased letter spacing: ${width} px`, async () => {
      const donor = await open();
      Object.assign(donor.element.style, {
        inlineSize: `${width}px`,
        letterSpacing: '0.12em',
        wordSpacing: '0.16em',
        lineHeight: '1.5',
      });
      const clipped = donor
        .all('h2, p, label, legend, button, a, strong, .option > span')
        .filter(({ classList }) => !classList.contains('hidden'))
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
        .map(({ outerHTML }) => outerHTML);
      expect(clipped).to.deep.equal([]);
    });
  }

  it('can be read with text of twice the size at the width of a phone', async () => {
    const donor = await open();
    Object.assign(donor.element.style, { inlineSize: '320px', fontSize: '32px' });
    const frame = donor.find('.frame')!;
    expect(frame.scrollWidth).to.be.at.most(frame.clientWidth);
  });
});
