import { expect, html } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { donationTerms, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const FEW = [2500, 5000, 10_000, 25_000];
const LARGE = [250_050, 1_000_000, 12_345_678, 99_999_999];
const CURRENCIES = ['usd', 'eur', 'kwd', 'jpy', 'inr', 'ils'];

/** How many tiles there are in each row. */
function rowsOf(donor: Donor): number[] {
  const tops = donor.all('.tiles .option').map((tile) => tile.getBoundingClientRect().top);
  return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
}

const linesOf = (label: HTMLElement): number => {
  const range = document.createRange();
  range.selectNodeContents(label.querySelector('span')!);
  return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
};

async function offer(language: string, currency: string, amounts: number[]): Promise<Donor> {
  const terms = { ...donationTerms(), preset_amounts_cents: amounts };
  server.setForm({ currency, terms });
  const tag = html`<connect-donate server=${SERVER} locale=${language}></connect-donate>`;
  return await Donor.open(tag);
}

describe('preset amounts', () => {
  for (const language of ['ar', 'he', 'hi', 'ja', 'de']) {
    it(`are on one line in ${language}, at every width`, async () => {
      for (const currency of CURRENCIES) {
        for (const amounts of [FEW, LARGE]) {
          const donor = await offer(language, currency, amounts);
          for (const width of [320, 480, 768]) {
            donor.element.parentElement!.style.inlineSize = `${width}px`;
            const broken = donor.all('.option:not(.other)').filter((label) => linesOf(label) > 1);
            const texts = broken.map((label) => label.textContent.trim());
            expect(texts, `${currency}, ${width} px`).to.deep.equal([]);
          }
        }
      }
    });
  }

  it('are in rows of three, and the field for another amount takes the rest of the last row', async () => {
    const donor = await offer('en', 'usd', FEW);
    for (const width of [320, 480]) {
      donor.element.parentElement!.style.inlineSize = `${width}px`;
      expect(rowsOf(donor), `${width} px`).to.deep.equal([3, 2]);
      const edge = (selector: string) =>
        Math.round(donor.find(selector)!.getBoundingClientRect().right);
      expect(edge('.other')).to.equal(edge('.tiles'));
    }
    const long = await offer('de', 'eur', [250_050, 350_050, 450_050]);
    long.element.parentElement!.style.inlineSize = '320px';
    expect(rowsOf(long)).to.deep.equal([2, 2]);
  });

  it('are one tab stop from the field for another amount, whose label gives way to the donor’s figure', async () => {
    const donor = await offer('en', 'usd', FEW);
    const opacity = () => getComputedStyle(donor.find('#other-label')!).opacity;
    expect(opacity()).to.equal('1');
    donor.find<HTMLInputElement>('#other')!.focus();
    expect(opacity()).to.equal('0');
    expect(getComputedStyle(donor.find('#amount-hint')!).opacity).to.equal('1');
    donor.type('other', '37');
    donor.find<HTMLInputElement>('#name')!.focus();
    await donor.waitForText('Give $37');
    expect(opacity()).to.equal('0');
  });
});

describe('an amount that is not a preset', () => {
  for (const [language, currency, cents, written] of [
    ['ar', 'kwd', 7500, '7.500'],
    ['ar-EG', 'kwd', 7500, '٧٫٥٠٠'],
    ['he', 'usd', 123_450, '1,234.50'],
    ['da', 'dkk', 123_450, '1.234,50'],
    ['de', 'eur', 123_450, '1.234,50'],
    ['fr', 'eur', 123_450, '1\u202f234,50'],
    ['hi', 'inr', 12_345_600, '1,23,456'],
    ['ja', 'jpy', 7500, '7,500'],
  ] as const) {
    it(`is entered in the text field in a format that can be parsed: ${currency} in ${language}`, async () => {
      server.setForm({
        currency,
        terms: { ...donationTerms(), max_amount_cents: 99_999_999, default_amount_cents: cents },
      });
      const tag = html`<connect-donate server=${SERVER} locale=${language}></connect-donate>`;
      const donor = await Donor.open(tag);
      expect(donor.find<HTMLInputElement>('#other')!.value).to.equal(written);
      const amounts: (number | undefined)[] = [];
      donor.element.addEventListener('connect-change', ({ amountCents }) =>
        amounts.push(amountCents),
      );
      donor.type('name', 'Maya');
      await waitUntil(() => amounts.length, 'it is read again');
      expect(amounts).to.deep.equal([cents]);
    });
  }

  it('is paid only once its meaning is clear', async () => {
    const terms = { ...donationTerms(), max_amount_cents: 99_999_999 };
    server.setForm({ currency: 'kwd', terms });
    const donor = await Donor.open();
    await donor.fill();
    donor.type('other', '1,250');
    donor.submit();
    await donor.waitForText(/Did you mean KWD\s1\.250 or KWD\s1,250\? Enter 1\.25 or 1250\./);
    donor.type('other', '1.25');
    await donor.waitForText(/Give KWD\s1\.250/);
  });
});
