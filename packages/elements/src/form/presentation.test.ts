import type { FormPresentation } from '@connect-embed/contract';
import { aTimeout, expect, html } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import {
  donationTerms,
  embedForm,
  publicForm,
  jsonResponse,
  SERVER,
} from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

/** Changes the form. It arrives after `delayMs`. */
function present(change: Partial<FormPresentation>, delayMs = 0) {
  const form = embedForm({
    terms: donationTerms({
      frequencies: ['one_time', 'monthly', 'yearly'],
      preset_amounts_by_frequency: { monthly: [1000, 2500] },
    }),
    presentation: {
      properties: {},
      messages: {},
      style: '',
      accent_color: null,
      impact_texts: {},
      impact_texts_by_frequency: {},
      ...change,
    },
  });
  server.setForm(form);
  server.on('/embed-form', () => aTimeout(delayMs).then(() => jsonResponse(publicForm(form))));
}

const impactOf = (donor: Donor) => donor.find('.impact')!.textContent.replace(/\s+/g, ' ').trim();

const buttonColor = (donor: Donor) => getComputedStyle(donor.find('.primary')!).backgroundColor;

const drawn = (attributes = html`<connect-donate server=${SERVER}></connect-donate>`) =>
  Donor.open(attributes);

describe('settings of the owner of a form', () => {
  it('the selected amount shows what it achieves, at each frequency', async () => {
    present({
      impact_texts: { 2500: 'a week of lunches' },
      impact_texts_by_frequency: { monthly: { 1000: 'a lunch every week' } },
    });
    const donor = await drawn();
    expect(impactOf(donor)).to.equal('');
    donor.select('2500');
    await donor.waitForText('a week of lunches');
    expect(impactOf(donor)).to.equal('$25 – a week of lunches');
    donor.select('monthly');
    await donor.element.updateComplete;
    expect(impactOf(donor)).to.equal('');
    donor.select('1000');
    await donor.waitForText('a lunch every week');
    donor.select('yearly');
    donor.select('2500');
    await donor.waitForText('a week of lunches');
  });

  it('what an amount achieves keeps its line while another amount is selected', async () => {
    present({ impact_texts: { 2500: 'a week of lunches' } });
    const donor = await drawn();
    const { height } = donor.element.getBoundingClientRect();
    donor.select('2500');
    await donor.waitForText('a week of lunches');
    expect(donor.element.getBoundingClientRect().height).to.equal(height);
  });

  it('shows the owner’s texts in every language, and the page’s messages before them', async () => {
    present({
      messages: {
        title: 'Feed a family',
        intro: 'Every dollar counts.',
        thanksNote: 'You are wonderful.',
      },
    });
    const donor = await drawn(html`<connect-donate server=${SERVER} locale="de"></connect-donate>`);
    expect(donor.find('[part=heading]')!.textContent.trim()).to.equal('Feed a family');
    expect(donor.text).to.contain('Every dollar counts.');
    expect(donor.text).to.contain('Anderer Betrag');
    donor.element.messages = { title: 'Give meals' };
    await donor.waitForText('Give meals');
    expect(donor.text).to.contain('Every dollar counts.');
    await donor.fillAndSubmit();
    await donor.waitForText('You are wonderful.');
  });

  it('applies colors, corners and font before the form is drawn', async () => {
    const style =
      '--connect-color-primary:light-dark(#c2410c,#f97316);--connect-border-radius:20px;--connect-font-family:monospace';
    present({ style }, 100); // So that the test sees the first drawn form.
    const donor = await Donor.render(html`<connect-donate server=${SERVER}></connect-donate>`);
    const colors = new Set<string>();
    const observer = new MutationObserver(() => {
      if (donor.find('form .primary:not(:disabled *)')) colors.add(buttonColor(donor));
    });
    observer.observe(donor.element.shadowRoot!, { childList: true, subtree: true });
    await donor.whenDrawn();
    observer.disconnect();
    expect([...colors]).to.deep.equal(['rgb(194, 65, 12)']);
    const { fontFamily, borderRadius } = getComputedStyle(donor.find('.primary')!);
    expect([fontFamily, borderRadius]).to.deep.equal(['monospace', '20px']);
    await donor.fill();
    expect(JSON.stringify(stripe.updates.at(-1) ?? stripe.options)).to.contain('rgb(194, 65, 12)');
  });

  it('the style sheet and the appearance of the page win', async () => {
    present({ style: '--connect-color-primary:#c2410c;--connect-border-radius:0px' });
    const donor = await drawn(html`
      <style>
        connect-donate {
          --connect-color-primary: rgb(1, 2, 3);
        }
      </style>
      <connect-donate
        server=${SERVER}
        appearance='{"variables":{"borderRadius":"3px"}}'
      ></connect-donate>
    `);
    expect(buttonColor(donor)).to.equal('rgb(1, 2, 3)');
    await waitUntil(
      () => getComputedStyle(donor.find('.primary')!).borderRadius === '3px',
      'the appearance is applied',
    );
  });

  it('the style sets documented custom properties only, and adds no rules', async () => {
    present({
      style:
        '--connect-color-primary:#c2410c;display:none;color:red!important;--_space:99px}' +
        '.frame{display:none}:host{--connect-border-radius:0px;background:url(https://evil.test/x)}',
    });
    const donor = await drawn();
    expect(buttonColor(donor)).to.equal('rgb(194, 65, 12)');
    const own = donor.element.shadowRoot!.adoptedStyleSheets.find(({ cssRules }) =>
      cssRules[0]?.cssText.includes('#c2410c'),
    )!;
    expect([...own.cssRules].map(({ cssText }) => cssText)).to.deep.equal([
      ':host { --connect-color-primary: #c2410c; }',
    ]);
  });

  it('a style that is no CSS changes nothing', async () => {
    for (const style of ['}', '{', '/*', '@import "https://evil.test/x.css";', '</style>']) {
      present({ style });
      expect(buttonColor(await drawn()), style).to.equal('rgb(11, 107, 91)');
    }
  });

  it('breaks a long word of the owner, and keeps the lines of the introduction', async () => {
    const word = 'https://harborstreet.example/'.padEnd(120, 'm');
    present({
      messages: { title: word, intro: `${word}\nSecond line`, giveAny: word, thanksNote: word },
    });
    const donor = await drawn(
      html`<div style="width: 288px">
        <connect-donate server=${SERVER}></connect-donate>
      </div>`,
    );
    const fits = (selector: string) => {
      const { scrollWidth, clientWidth } = donor.find(selector)!;
      expect(scrollWidth, selector).to.be.at.most(clientWidth);
    };
    fits('.frame');
    const [, intro] = donor.all('.purpose');
    expect(getComputedStyle(intro!).whiteSpace).to.equal('pre-line');
    await donor.fillAndSubmit();
    await donor.waitFor('.own-text');
    fits('.frame');
    donor.element.display = 'button';
    await donor.waitFor('[part=open-button]');
    fits('[part=open-button]');
  });

  it('has the owner’s theme unless the page sets one', async () => {
    await emulateMedia({ colorScheme: 'light' });
    present({ properties: { theme: 'dark' } });
    const schemeOf = (donor: Donor) => getComputedStyle(donor.element).colorScheme;
    expect(schemeOf(await drawn())).to.equal('dark');
    const page = html`<connect-donate server=${SERVER} theme="light"></connect-donate>`;
    expect(schemeOf(await drawn(page))).to.equal('light');
  });

  it('a form without these settings has none of those of the form before it', async () => {
    present({
      properties: { theme: 'dark' },
      messages: { title: 'Feed a family' },
      style: '--connect-color-primary:#c2410c',
    });
    const donor = await drawn();
    server.setForm({});
    donor.element.form = 'another';
    await donor.waitForText('Support Harbor Street Food Bank');
    await donor.whenDrawn();
    expect(donor.element.theme ?? null).to.equal(null);
    expect(buttonColor(donor)).to.equal('rgb(11, 107, 91)');
  });

  it('becomes a button that opens the form without another request', async () => {
    present({ properties: { display: 'button' } });
    const donor = await Donor.render(html`<connect-donate server=${SERVER}></connect-donate>`);
    await donor.waitFor('[part=open-button]');
    expect(donor.find('form')).to.equal(null);
    donor.find('[part=open-button]')!.click();
    await donor.whenDrawn();
    expect(server.requestsTo('/embed-form')).to.have.length(1);
  });

  for (const [display, selector] of [
    ['button', '[part=open-button]'],
    [undefined, '.frame'],
  ] as const) {
    it(`shows another form behind the owner’s button: ${display ?? 'inline'}`, async () => {
      present({ properties: { display: 'button' } });
      const donor = await Donor.render(
        html`<connect-donate server=${SERVER} form="a"></connect-donate>`,
      );
      await donor.waitFor('[part=open-button]');
      await donor.element.updateComplete;
      const messages = { title: 'Feed a family', giveAny: 'Feed them' };
      present({ properties: display ? { display } : {}, messages });
      donor.element.form = 'b';
      await donor.waitForText('Feed');
      await donor.waitFor(selector);
      expect(donor.element.display).to.equal(display);
      await donor.element.open();
      await donor.whenDrawn();
      expect(donor.text).to.contain('Feed a family');
      const forms = server.requestsTo('/embed-form').map(({ query }) => query.get('form'));
      expect(forms).to.deep.equal(['a', 'b']);
    });
  }

  it('stays inline if the page says so', async () => {
    present({ properties: { display: 'modal' } });
    await drawn(html`<connect-donate server=${SERVER} display="inline"></connect-donate>`);
  });
});

describe('the state attribute', () => {
  const stateOf = ({ element }: Donor) => element.getAttribute('state');

  it('changes with the view, after it is drawn', async () => {
    const changes: [string | null, boolean][] = [];
    // Observed before the form exists, because a form that is cached is drawn at once.
    const observer = new MutationObserver((records) => {
      const form = new Donor(records.at(-1)!.target as Donor['element']);
      changes.push([stateOf(form), Boolean(form.find('form .primary:not(:disabled *)'))]);
    });
    observer.observe(document.body, { attributeFilter: ['state'], subtree: true });
    const donor = await Donor.open(html`<connect-donate server=${SERVER}></connect-donate>`);
    await donor.waitFor('form');
    expect(changes.at(-1)).to.deep.equal(['ready', true]);
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(stateOf(donor)).to.equal('succeeded');
    observer.disconnect();
  });

  it('says that the dialog of a form is closed', async () => {
    const donor = await Donor.render(
      html`<connect-donate server=${SERVER} display="button"></connect-donate>`,
    );
    await donor.waitFor('[part=open-button]');
    expect(stateOf(donor)).to.equal('closed');
    await donor.element.open();
    await donor.whenDrawn();
    expect(stateOf(donor)).to.equal('ready');
  });
});

describe('a form in a text that is being edited', () => {
  for (const [name, page] of [
    ['', html`<connect-donate server=${SERVER}></connect-donate>`],
    [
      ' by a script that loads Stripe at once',
      html`<connect-donate server=${SERVER} loading="eager"></connect-donate>`,
    ],
  ] as const) {
    it(`adds nothing to the text${name}, and says where the card fields are`, async () => {
      server.setForm({ terms: donationTerms({ card_loading: 'eager' }) });
      const donor = await drawn(html`<div contenteditable="true">${page}</div>`);
      await donor.waitForText('The payment fields appear on the published page.');
      // The form is not filled in, because its author only tries the button.
      donor.submit();
      await donor.waitFor('#banner');
      const { className, textContent } = donor.find('#banner')!;
      expect(className).to.equal('banner');
      expect(textContent).to.equal('The payment fields appear on the published page.');
      donor.type('name', 'Maya');
      donor.type('email', 'maya@example.org');
      donor.submit();
      await waitUntil(() => donor.focused?.id === 'banner', 'it is said again');
      expect(donor.element.children).to.have.length(0);
      expect(server.requestsTo('/payment-intents')).to.have.length(0);
    });
  }
});

describe('a closed form', () => {
  const closed = () =>
    jsonResponse(
      { error: { type: 'not_found', code: 'form_closed', message: 'The form is closed.' } },
      404,
    );

  it('says that it no longer accepts gifts, in the language of the page', async () => {
    server.on('/embed-form', closed);
    const donor = await Donor.render(
      html`<connect-donate server=${SERVER} locale="fr">Write to us</connect-donate>`,
    );
    await donor.waitForText('Ce formulaire n’accepte plus de dons');
    expect(donor.find('button')).to.equal(null);
    expect(donor.find('slot:not([name])')).not.to.equal(null);
  });

  it('says that its campaign has ended, also to a donor who has opened the form before', async () => {
    const ended = () =>
      jsonResponse(
        { error: { type: 'not_found', code: 'campaign_ended', message: 'It has ended.' } },
        404,
      );
    const donor = await drawn();
    server.on('/payment-intents', ended);
    await donor.fillAndSubmit();
    await donor.waitForText('This campaign has ended. You were not charged.');
    server.on('/embed-form', ended);
    const later = await Donor.render(
      html`<connect-donate server=${SERVER}>Write to us</connect-donate>`,
    );
    await later.waitForText('This campaign has ended');
    expect(later.find('button')).to.equal(null);
  });

  it('does not block the form that the page shows instead', async () => {
    const donor = await drawn();
    for (let microtasks = 0; microtasks < 30; microtasks++) {
      server.on('/embed-form', ({ query }) => {
        if (query.get('form') !== 'a') return jsonResponse(publicForm());
        void waitForMicrotasks(microtasks).then(() => (donor.element.form = 'b'));
        return closed();
      });
      donor.element.form = 'a';
      await waitUntil(() => donor.element.form === 'b', 'the page shows another form');
      await donor.element.updateComplete;
      await donor.whenDrawn();
    }
  });

  it('says so to a donor who has it open', async () => {
    server.on('/payment-intents', closed);
    const donor = await drawn();
    await donor.fillAndSubmit();
    await donor.waitForText('no longer accepts gifts. You were not charged.');
  });
});

it('asks a donor whose page has an outdated Stripe key to reload it', async () => {
  const error = { type: 'not_found', code: 'page_expired', message: 'The page has expired.' };
  server.on('/payment-intents', () => jsonResponse({ error }, 404));
  const donor = await drawn();
  await donor.fillAndSubmit();
  await donor.waitForText('This page is out of date. You were not charged. Reload it to give.');
});

/** Waits, so that a test can act at every moment of a task. */
async function waitForMicrotasks(count: number) {
  for (let done = 0; done < count; done++) await Promise.resolve();
}
