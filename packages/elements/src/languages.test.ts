import { expect, fixture, html } from '@open-wc/testing';
import './define.ts';
import type { ConnectDonate } from './connect-donate.ts';
import { Donor } from './test-support/donor.ts';
import { preloadLocales } from './test-support/preload-locales.ts';
import { errorResponse, SERVER } from './test-support/server.ts';
import { server, stripe } from './test-support/set-up.ts';
import { declined } from './test-support/fake-stripe.ts';
import { waitUntil } from './test-support/wait-until.ts';

before(preloadLocales);

const inLanguage = (language: string) =>
  html`<connect-donate server=${SERVER} locale=${language}></connect-donate>`;

const formWithMessages = (messages: ConnectDonate['messages']) =>
  html`<connect-donate server=${SERVER} .messages=${messages}></connect-donate>`;

const frame = (donor: Donor) => donor.find('.frame')!;

describe('a form', () => {
  it('is drawn in the language of its page, and never in another before', async () => {
    document.documentElement.lang = 'fr-CA';
    const page = await fixture<HTMLElement>(html`<main></main>`);
    const element = document.createElement('connect-donate');
    element.server = SERVER;
    page.append(element);
    const donor = new Donor(element);
    const headings: (string | undefined)[] = [];
    const note = () => headings.push(donor.find('h2#title')?.textContent.trim());
    new MutationObserver(note).observe(element.shadowRoot!, { subtree: true, childList: true });
    await donor.waitForText('Donner 50 $');
    const drawn = headings.filter(Boolean);
    expect(new Set(drawn)).to.deep.equal(new Set(['Soutenez Harbor Street Food Bank']));
    expect(frame(donor)).to.have.attribute('lang', 'fr');
  });

  it('reads the language of a page that writes it with an underscore', async () => {
    document.documentElement.lang = 'de_DE';
    await (await Donor.open()).waitForText('50 $ spenden');
  });

  it('is in English with the numbers of an unsupported language', async () => {
    document.documentElement.lang = 'pl';
    const donor = await Donor.open();
    await donor.waitForText(/Give 50 USD/);
    expect(frame(donor)).to.have.attribute('lang', 'en');
  });

  it('ignores an invalid language tag', async () => {
    document.documentElement.lang = 'not a language';
    await (await Donor.open()).waitForText('Give $50');
  });

  it('follows a change of the page’s language', async () => {
    const donor = await Donor.open();
    donor.type('name', 'Maya');
    document.documentElement.lang = 'de';
    await donor.waitForText('50 $ spenden');
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya');
    document.documentElement.lang = 'en';
    await donor.waitForText('Give $50');
  });

  it('keeps the meaning of a typed amount when the language changes', async () => {
    const donor = await Donor.open();
    await donor.fill();
    donor.type('other', '1,250.5');
    await donor.waitForText('Give $1,250.50');
    document.documentElement.lang = 'de';
    await donor.waitForText(/1\.250,50\s\$ spenden/);
    expect(donor.find<HTMLInputElement>('#other')!.value).to.equal('1.250,50');
  });

  it('translates errors, card fields and thank-you page when the language changes', async () => {
    const donor = await Donor.open();
    donor.submit();
    await donor.waitForText('Check 3 fields');
    document.documentElement.lang = 'it';
    await donor.waitForText('Controlla 3 campi');
    await donor.waitForText('Inserisci nome e cognome.');
    await donor.fill();
    const stripeLocales = () => [stripe.options, ...stripe.updates].map(({ locale }) => locale);
    await waitUntil(() => stripeLocales().includes('it'), 'the card fields are updated');
    document.documentElement.lang = 'pt';
    await donor.waitForText('Doar US$ 50');
    await waitUntil(() => stripeLocales().includes('pt-BR'), 'the card fields are updated');
    donor.submit();
    await donor.waitForText('Agradecemos sua doação, Maya');
    document.documentElement.lang = 'nl';
    await donor.waitForText('Dank je wel, Maya');
  });

  it('uses its locale property instead of the page’s language', async () => {
    document.documentElement.lang = 'en';
    const donor = await Donor.open(inLanguage('es'));
    await donor.waitForText('Donar 50 US$');
    donor.element.locale = '';
    await donor.waitForText('Give $50');
  });

  for (const [language, start] of [
    ['ar', 'تبرّع بمبلغ'],
    ['he', 'לתרום'],
  ] as const) {
    it(`is right-to-left in ${language}, with isolated amounts`, async () => {
      const donor = await Donor.open(inLanguage(language));
      await donor.waitForText(start);
      expect(frame(donor)).to.have.attribute('dir', 'rtl');
      expect(donor.find('.primary')!.textContent).to.match(/\u2068.*50.*\u2069/u);
      const [first, second] = donor.all('.option');
      const left = (element: Element) => element.getBoundingClientRect().left;
      expect(left(first!)).to.be.above(left(second!));
    });
  }

  it('is left-to-right within a right-to-left page if its language is', async () => {
    const donor = await Donor.render(html`
      <div lang="ar" dir="rtl"><connect-donate lang="de" server=${SERVER}></connect-donate></div>
    `);
    await donor.waitForText('50 $ spenden');
    expect(getComputedStyle(frame(donor)).direction).to.equal('ltr');
  });

  it('aligns the placeholder of the card fields when a label has two lines', async () => {
    const donor = await Donor.open(inLanguage('ja'));
    donor.element.parentElement!.style.inlineSize = '288px';
    const [, expiry, code] = donor
      .all('.skeleton-field')
      .map((line) => line.getBoundingClientRect());
    expect(code!.height).to.be.above(expiry!.height);
    expect(code!.bottom).to.equal(expiry!.bottom);
    const [name] = [...donor.all('.skeleton-field')[2]!.childNodes].filter(
      ({ nodeType }) => nodeType === 3,
    );
    const range = new Range();
    range.setStart(name!, 0);
    range.setEnd(name!, 'セキュリティ'.length);
    expect(new Set([...range.getClientRects()].map(({ top }) => top)).size).to.equal(1);
  });

  it('can have another language than another form on the page', async () => {
    const page = await fixture<HTMLElement>(html`
      <main>
        <connect-donate lang="ja" server=${SERVER} form="a"></connect-donate>
        <connect-donate lang="zh" server=${SERVER} form="b"></connect-donate>
      </main>
    `);
    const [one, other] = [...page.querySelectorAll('connect-donate')].map((it) => new Donor(it));
    await one!.waitForText('$50を寄付する');
    await other!.waitForText('捐款US$50');
  });

  it('translates decline reasons, and does not show the server’s messages', async () => {
    stripe.confirm = () => declined('insufficient_funds');
    const donor = await Donor.open(inLanguage('de'));
    await donor.fillAndSubmit();
    await donor.waitForText('Die Deckung der Karte reicht für diese Spende nicht aus');
    server.on('/payment-intents', () =>
      errorResponse('invalid_request', 'donor_name is too strange.', undefined, {
        param: 'donor_name',
      }),
    );
    donor.type('name', 'M');
    donor.submit();
    await donor.waitForText('Dieser Name kann nicht gespeichert werden.');
    expect(donor.text).not.to.include('strange');
  });
});

describe('text overrides', () => {
  it('replace messages by attribute and by property', async () => {
    const donor = await Donor.render(html`
      <connect-donate
        server=${SERVER}
        messages='{ "give": "Donate {amount} now", "thanks": "You are great, {name}" }'
      ></connect-donate>
    `);
    await donor.waitForText('Donate $50 now');
    await donor.fillAndSubmit();
    await donor.waitForText('You are great, Maya');
    donor.element.messages = { again: 'Once more' };
    await donor.waitForText('Thank you, Maya');
    await donor.waitForText('Once more');
  });

  it('can be limited to one language', async () => {
    const messages = { details: 'You', de: { give: '{amount} schenken' } };
    const donor = await Donor.open(formWithMessages(messages));
    await donor.waitForText('Give $50');
    document.documentElement.lang = 'de';
    await donor.waitForText('50 $ schenken');
    await donor.waitForText('You');
  });

  it('can have one text for all plural forms', async () => {
    const messages = { problems: 'Look again: {count}' } as unknown as ConnectDonate['messages'];
    const donor = await Donor.open(formWithMessages(messages));
    donor.submit();
    await donor.waitForText('Look again: 3');
  });

  it('are rendered as text, not as HTML', async () => {
    const donor = await Donor.open(formWithMessages({ details: '<img src=x>' }));
    await donor.waitForText('<img src=x>');
    expect(donor.find('img')).to.equal(null);
  });
});
