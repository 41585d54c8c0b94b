import { expect, fixture, html } from '@open-wc/testing';
import './define.ts';
import { Donor } from './test-support/donor.ts';
import { errorResponse, SERVER } from './test-support/server.ts';
import { server, stripe } from './test-support/set-up.ts';
import { DONATIONS, listResponse as pageOf, rows, some, viewer } from './test-support/table.ts';
import { waitUntil } from './test-support/wait-until.ts';

const FORM = html`<connect-donate server=${SERVER} form="gala"></connect-donate>`;

/** The container of the card fields in the light DOM. */
const cardContainer = ({ element }: Donor) =>
  element.querySelector<HTMLElement>(':scope > [slot^=connect-card]:not([slot$=-wallet])')!;

describe('a page that changes the element’s children', () => {
  it('makes the card fields mount again after it removed them', async () => {
    const donor = await Donor.open();
    await donor.fill();
    const [first] = [cardContainer(donor)];
    donor.element.replaceChildren(); // Simulates a library that morphs the page.
    await waitUntil(() => stripe.mounts === 2, 'mounted again');
    await donor.waitFor('.payment-fields:not(.waiting)');
    expect(first.isConnected).to.equal(true);
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
    donor.submit();
    await donor.waitForText('Thank you');
  });

  it('makes them mount again after it reused their container', async () => {
    const donor = await Donor.open();
    await donor.fill();
    cardContainer(donor).removeAttribute('slot');
    await waitUntil(() => stripe.mounts === 2, 'mounted again');
    expect(cardContainer(donor).slot).to.match(/^connect-card-/);
    await donor.waitFor('.payment-fields:not(.waiting)');
  });

  it('makes them mount again after it removed them in any shadow root', async () => {
    const shell = document.createElement('div');
    const mode: ShadowRootMode = 'closed';
    const element = document.createElement('connect-donate');
    element.server = SERVER;
    shell.attachShadow({ mode }).append(element);
    const donor = new Donor(element);
    await Donor.render(html`${shell}`);
    await donor.whenDrawn();
    await donor.fill();
    element.querySelector('slot:not([name$=-wallet])')!.remove();
    await waitUntil(() => stripe.mounts === 2, 'mounted again');
    await donor.fill();
    shell.replaceChildren();
    await waitUntil(() => stripe.mounts === 3, 'mounted again');
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
  });

  it('gets an error and a retry button when it keeps removing them', async () => {
    const { error } = console;
    const logged: string[] = [];
    console.error = (text: string) => logged.push(text);
    const donor = await Donor.open();
    await donor.fill();
    const remover = new MutationObserver(() => donor.element.replaceChildren());
    remover.observe(donor.element, { childList: true });
    donor.element.replaceChildren();
    await donor.waitFor('.payment-error');
    remover.disconnect();
    console.error = error;
    expect(logged.join()).to.include('Exclude the element from morphing');
    donor.find('.payment-error button')!.click();
    await donor.waitFor('.payment-fields:not(.waiting)');
    donor.submit();
    await donor.waitForText('Thank you');
  });

  it('does not make them mount again when it changes only its own content', async () => {
    const donor = await Donor.open(FORM);
    await donor.fill();
    donor.element.append(document.createElement('p'));
    donor.element.querySelector('p')!.remove();
    await new Promise(requestAnimationFrame);
    expect(stripe.mounts).to.equal(1);
  });
});

/**
 * Inherited CSS properties, each with a value whose effect on an element would be visible. Without
 * `writing-mode`, which changes the size of the element's container.
 */
const INHERITED = {
  'border-collapse': 'collapse',
  'border-spacing': '20px',
  'caption-side': 'bottom',
  'caret-color': 'red',
  cursor: 'none',
  'empty-cells': 'hide',
  fill: 'red',
  'font-kerning': 'none',
  'font-feature-settings': '"smcp"',
  'font-size-adjust': '1',
  'font-stretch': 'condensed',
  'font-style': 'italic',
  'font-variant': 'small-caps',
  'font-variation-settings': '"wght" 900',
  'font-weight': '900',
  'forced-color-adjust': 'none',
  hyphens: 'auto',
  'letter-spacing': '4px',
  'line-break': 'anywhere',
  'line-height': '3',
  'list-style': 'none',
  'overflow-wrap': 'anywhere',
  quotes: '"<" ">"',
  'tab-size': '1',
  'text-align': 'center',
  'text-align-last': 'right',
  'text-emphasis': 'dot red',
  'text-indent': '40px',
  'text-shadow': '1px 1px 2px red',
  'text-transform': 'uppercase',
  'text-wrap': 'nowrap',
  'user-select': 'none',
  'white-space': 'pre',
  'word-break': 'break-all',
  'word-spacing': '20px',
  '-webkit-text-fill-color': 'red',
  '-webkit-text-security': 'disc',
  '-webkit-text-stroke': '2px red',
};

/** The computed styles of all nodes in an element, by position and property. */
function stylesOf(element: Element): Map<string, string> {
  const styles = new Map<string, string>();
  for (const [at, one] of [...element.shadowRoot!.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(one);
    for (const property of style) {
      styles.set(`${at} ${one.localName} ${property}`, style.getPropertyValue(property));
    }
  }
  return styles;
}

describe('a page with its own text styles', () => {
  const ELEMENTS = {
    'connect-donate': async (page: HTMLElement) => {
      const donor = new Donor(page.querySelector('connect-donate')!);
      await donor.whenDrawn();
    },
    'connect-donations': (page: HTMLElement) =>
      waitUntil(() => rows(page.querySelector('connect-donations')!).length === 2, 'the rows'),
    'connect-goal': (page: HTMLElement) =>
      waitUntil(() => page.querySelector('connect-goal')!.shadowRoot, 'drawn'),
  };
  for (const [name, drawn] of Object.entries(ELEMENTS)) {
    it(`does not change <${name}>`, async () => {
      server.on(DONATIONS, () => pageOf(some(2, 2)));
      const page = await fixture<HTMLElement>(html`<div style="inline-size: 500px"></div>`);
      const element = document.createElement(name) as HTMLElement & { server: string };
      element.server = SERVER;
      element.setAttribute('viewer-token', viewer);
      page.append(element);
      await drawn(page);
      const before = stylesOf(element);
      for (const [property, value] of Object.entries(INHERITED)) {
        page.style.setProperty(property, value);
        expect(page.style.getPropertyValue(property), property).not.to.equal('');
        const changed = [...stylesOf(element)].filter(([at, now]) => before.get(at) !== now);
        expect(changed, `${property}: ${value}`).to.deep.equal([]);
        page.style.removeProperty(property);
      }
    });
  }

  it('passes on its font, color scheme, visibility and pointer events', async () => {
    const donor = await Donor.open(html`
      <div style="font: 20px fantasy; color-scheme: dark; visibility: hidden; pointer-events: none">
        ${FORM}
      </div>
    `);
    const style = getComputedStyle(donor.find('.purpose')!);
    expect(style.fontFamily).to.equal('fantasy');
    expect(style.fontSize).to.equal('20px');
    expect(style.colorScheme).to.equal('dark');
    expect(style.visibility).to.equal('hidden');
    expect(style.pointerEvents).to.equal('none');
  });
});

describe('a form that could not be loaded', () => {
  it('is as tall as its error message, not as the placeholder', async () => {
    let fail!: (response: Response) => void;
    server.on('/embed-form', () => new Promise((resolve) => (fail = resolve)));
    const donor = await Donor.render();
    await donor.waitFor('.skeleton');
    expect(donor.element.offsetHeight).to.be.above(600);
    fail(errorResponse('not_found', 'No form gala.'));
    await donor.waitFor('.message');
    expect(donor.element.offsetHeight).to.be.below(400);
  });
});
