import { expect, html, oneEvent } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { donationTerms, fullTerms, SERVER } from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { untilQuiet } from '../test-support/until-quiet.ts';
import { waitUntil } from '../test-support/wait-until.ts';

afterEach(() => document.documentElement.removeAttribute('dir'));

const dialogOf = (donor: Donor) => donor.find<HTMLDialogElement>('dialog');
const isOpen = (donor: Donor) => waitUntil(() => dialogOf(donor)?.open, 'the dialog is open');

/** Adds a large frame above the page. */
function addFrame(name: string, parent: Element = document.body): HTMLIFrameElement {
  const frame = Object.assign(document.createElement('iframe'), { srcdoc: 'frame', name });
  frame.style.cssText = 'position: fixed; inset: 0; width: 400px; height: 400px';
  parent.append(frame);
  return frame;
}

async function closed(display: string): Promise<Donor> {
  const donor = await Donor.render(
    html`<connect-donate server=${SERVER} form="gala" display=${display}></connect-donate>`,
  );
  await donor.waitFor('[part=open-button]');
  return donor;
}

async function opened(display: string): Promise<Donor> {
  const donor = await closed(display);
  donor.find('[part=open-button]')!.focus();
  donor.find('[part=open-button]')!.click();
  await isOpen(donor);
  await donor.whenDrawn();
  return donor;
}

describe('a form behind a button', () => {
  for (const display of ['button', 'sticky']) {
    it(`loads nothing before it is opened, and submits a donation: ${display}`, async () => {
      await closed(display);
      const donor = await opened(display);
      await donor.fillAndSubmit();
      await donor.waitForText('Thank you, Maya');
      expect(stripe.confirmed).to.have.length(1);
      expect(server.requestsTo('/embed-form')).to.have.length(1);
    });
  }

  it('dispatches events when it opens and closes, and restores focus and scrolling', async () => {
    const events: string[] = [];
    const note = ({ type }: Event) => events.push(type);
    for (const type of ['connect-open', 'connect-close']) document.addEventListener(type, note);
    const donor = await opened('button');
    expect(document.documentElement.style.overflow).to.equal('hidden');
    donor.type('name', 'Maya');
    await sendKeys({ press: 'Escape' });
    await waitUntil(() => events.length === 2, 'closed');
    expect(events).to.deep.equal(['connect-open', 'connect-close']);
    expect(document.documentElement.style.overflow).to.equal('');
    expect(donor.focused?.getAttribute('part')).to.equal('open-button');
    donor.find('[part=open-button]')!.click();
    await isOpen(donor);
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya');
    expect(server.requestsTo('/embed-form')).to.have.length(1);
    donor.find('.close')!.click();
    await waitUntil(() => events.length === 4, 'closed again');
    for (const type of ['connect-open', 'connect-close']) document.removeEventListener(type, note);
  });

  for (const frame of ['card', 'wallet'] as const) {
    it(`closes on Escape while the focus is in the frame of the ${frame}`, async () => {
      stripe.wallets = { applePay: true };
      const donor = await opened('button');
      await donor.fill();
      stripe.pressEscape(frame);
      await waitUntil(() => !dialogOf(donor)?.open, 'closed');
      expect(donor.focused?.getAttribute('part')).to.equal('open-button');
    });
  }

  it('is as tall as the thank-you page at the end', async () => {
    const donor = await opened('button');
    const frame = donor.find('.frame')!;
    expect(frame.style.minBlockSize).not.to.equal('');
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you, Maya');
    // In a dialog the test mode badge is on its own line.
    const { top } = donor.find('.test')!.getBoundingClientRect();
    const height = donor.find('.thank-you')!.getBoundingClientRect().bottom - top;
    const { paddingTop, paddingBottom } = getComputedStyle(frame);
    expect(frame.clientHeight).to.be.closeTo(
      height + parseFloat(paddingTop) + parseFloat(paddingBottom),
      1,
    );
  });

  for (const direction of ['ltr', 'rtl']) {
    it(`has a close button that covers no field while scrolling: ${direction}`, async () => {
      document.documentElement.dir = direction;
      server.setForm({ terms: fullTerms() });
      const donor = await opened('button');
      const dialog = dialogOf(donor)!;
      dialog.style.cssText = 'inline-size: 300px; max-block-size: 320px';
      const root = donor.element.shadowRoot!;
      const button = donor.find('.close')!;
      const { left, right } = dialog.getBoundingClientRect();
      for (let top = 0; top <= dialog.scrollHeight - dialog.clientHeight; top += 20) {
        dialog.scrollTo(0, top);
        const { top: upper, bottom: lower } = button.getBoundingClientRect();
        for (const y of [upper + 1, lower - 1])
          for (let x = left + 20; x < right - 20; x += 10)
            // The rounded corners are excluded.
            expect(root.elementFromPoint(x, y)?.closest('.bar'), `${x}, ${y}`).not.to.equal(null);
      }
      donor.find('#other')!.focus();
      expect(donor.find('#other')!.getBoundingClientRect().top).to.be.above(
        button.getBoundingClientRect().bottom,
      );
    });
  }

  it('does not lock the page when its dialog would be invisible, and logs why', async () => {
    const donor = await Donor.render(html`
      <div hidden>
        <connect-donate server=${SERVER} form="gala" display="modal"></connect-donate>
      </div>
    `);
    const { error } = console;
    const errors: string[] = [];
    console.error = (...parts: string[]) => errors.push(parts.join(' '));
    await donor.element.open();
    console.error = error;
    expect(errors.join()).to.contain('display="modal": the element is inside a hidden element');
    expect(dialogOf(donor)!.open).to.equal(false);
    expect(document.documentElement.style.overflow).to.equal('');
    donor.element.parentElement!.hidden = false;
    await donor.element.open();
    expect(dialogOf(donor)!.open).to.equal(true);
    donor.element.close();
  });

  it('opens again right after it was closed or moved', async () => {
    const donor = await opened('button');
    donor.element.close();
    await donor.element.open();
    expect(dialogOf(donor)!.open).to.equal(true);
    expect(document.documentElement.style.overflow).to.equal('hidden');
    donor.element.parentElement!.append(donor.element);
    expect(dialogOf(donor)!.checkVisibility()).to.equal(false);
    await donor.element.open();
    expect(dialogOf(donor)!.matches(':modal')).to.equal(true);
    donor.element.close();
    await waitUntil(() => !document.documentElement.style.overflow, 'the page scrolls');
  });

  it('restores scrolling when it becomes inline while open', async () => {
    const donor = await opened('button');
    donor.element.removeAttribute('display');
    await waitUntil(() => !dialogOf(donor), 'in the page');
    await donor.element.updateComplete;
    expect(document.documentElement.style.overflow).to.equal('');
  });

  it('restores scrolling when it is removed while open', async () => {
    const donor = await opened('button');
    donor.element.remove();
    expect(document.documentElement.style.overflow).to.equal('');
  });

  it('is not modal while a bank’s iframe is shown above the page', async () => {
    const donor = await opened('button');
    await donor.fill();
    const frame = addFrame('__privateStripeFrame42');
    await waitUntil(() => !dialogOf(donor)!.matches(':modal'), 'makes way');
    expect(dialogOf(donor)!.open).to.equal(true);
    frame.remove();
    await waitUntil(() => dialogOf(donor)!.matches(':modal'), 'modal again');
    expect(stripe.mounts).to.equal(1);
  });

  it('gives way to a bank’s iframe only while it is visible, also inside a wrapper', async () => {
    const donor = await opened('button');
    const wrapper = document.createElement('div');
    wrapper.style.visibility = 'hidden';
    document.body.append(wrapper);
    const frame = addFrame('__privateStripeFrame43', wrapper);
    await untilQuiet();
    expect(dialogOf(donor)!.matches(':modal')).to.equal(true);
    wrapper.style.visibility = 'visible';
    await waitUntil(() => !dialogOf(donor)!.matches(':modal'), 'makes way');
    wrapper.remove();
    await waitUntil(() => dialogOf(donor)!.matches(':modal'), 'modal again');
    expect(frame.isConnected).to.equal(false);
  });

  it('stays modal and keeps the focus while other widgets add frames', async () => {
    const donor = await opened('button');
    await donor.fill();
    donor.find('#name')!.focus();
    const frames = [addFrame('chat'), addFrame('a-captcha')];
    await untilQuiet();
    expect(dialogOf(donor)!.matches(':modal')).to.equal(true);
    expect(donor.focused?.id).to.equal('name');
    const closed = oneEvent(donor.element, 'connect-close');
    await sendKeys({ press: 'Escape' });
    await closed;
    for (const frame of frames) frame.remove();
  });
});

describe('a form with display="modal"', () => {
  it('is opened by a link to it and by script', async () => {
    const donor = await Donor.render(html`
      <a href="#donate">Donate</a>
      <connect-donate id="donate" server=${SERVER} display="modal"></connect-donate>
    `);
    await donor.element.updateComplete;
    expect(server.requestsTo('/embed-form')).to.have.length(0);
    expect(donor.element.getBoundingClientRect().height).to.equal(0);
    document.querySelector<HTMLElement>('a[href="#donate"]')!.click();
    await isOpen(donor);
    const closed = oneEvent(donor.element, 'connect-close');
    donor.element.close();
    await closed;
    await donor.element.open();
    expect(dialogOf(donor)!.open).to.equal(true);
  });
});

describe('attributes with initial values', () => {
  const fund_choices = [
    { id: 'fund_meals', name: 'Meals' },
    { id: 'fund_kitchen', name: 'Kitchen' },
  ];
  const terms = { ...donationTerms({ frequencies: ['one_time', 'monthly'] }), fund_choices };

  beforeEach(() => {
    server.setForm({ terms });
  });

  it('set values that the form offers', async () => {
    const donor = await Donor.render(html`
      <connect-donate
        server=${SERVER}
        amount="25"
        frequency="monthly"
        fund="fund_kitchen"
      ></connect-donate>
    `);
    await donor.waitForText('Give $25 monthly');
    expect(donor.find<HTMLSelectElement>('select')!.value).to.equal('fund_kitchen');
  });

  it('are ignored with one warning if the form does not offer the value', async () => {
    const warn = console.warn;
    const warnings: string[] = [];
    console.warn = (text: string) => warnings.push(text);
    const tag = html`<connect-donate
      server=${SERVER}
      amount="1"
      frequency="yearly"
      fund="fund_other"
    ></connect-donate>`;
    await (await Donor.render(tag)).waitForText('Give $50');
    await (await Donor.render(tag)).waitForText('Give $50');
    console.warn = warn;
    expect(warnings).to.have.length(3);
    expect(warnings.join()).to.include('amount="1": must be $5 to $10,000');
  });

  it('are ignored with one warning if they are invalid', async () => {
    const warn = console.warn;
    const warnings: string[] = [];
    console.warn = (text: string) => warnings.push(text);
    const tag = html`<connect-donate
      server=${SERVER}
      display=${'popup' as 'inline'}
      theme=${'pink' as 'light'}
      messages="{ Give: Donate }"
      appearance="[1"
    ></connect-donate>`;
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const donor = await Donor.render(tag);
      await donor.waitForText('Give $50');
      await donor.fill();
    }
    console.warn = warn;
    expect(warnings).to.deep.equal([
      '<connect-donate> messages="{ Give: Donate }": must be a JSON object.',
      '<connect-donate> display="popup": must be one of inline, button, sticky, modal.',
      '<connect-donate> appearance="[1": must be a JSON object.',
      '<connect-donate> theme="pink": must be one of light, dark, auto.',
    ]);
  });

  it('set the appearance of the form and the card fields', async () => {
    const appearance = { variables: { colorPrimary: 'rgb(200, 0, 90)', borderRadius: '3px' } };
    const donor = await Donor.render(html`
      <connect-donate server=${SERVER} theme="dark" .appearance=${appearance}></connect-donate>
    `);
    await donor.waitForText('Give $50');
    await donor.fill();
    const button = getComputedStyle(donor.find('.primary')!);
    expect(button.backgroundColor).to.equal('rgb(200, 0, 90)');
    expect(button.borderRadius).to.equal('3px');
    expect(button.colorScheme).to.equal('dark');
    expect(stripe.options['appearance']).to.have.nested.include({
      'variables.colorPrimary': 'rgb(200, 0, 90)',
      'variables.colorBackground': 'rgb(23, 27, 31)',
    });
    donor.element.appearance = { variables: { colorPrimary: 'rgb(0, 90, 200)' } };
    donor.element.theme = 'light';
    const latest = () => JSON.stringify(stripe.updates.at(-1) ?? {});
    await waitUntil(() => latest().includes('rgb(0, 90, 200)'), 'the fields follow');
    await waitUntil(() => latest().includes('rgb(255, 255, 255)'), 'the fields follow the theme');
  });
});
