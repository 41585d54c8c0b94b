import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys, sendMouse, setViewport } from '@web/test-runner-commands';
import './define.ts';
import { contrastRatio, paintedColor } from './test-support/contrast.ts';
import { Donor } from './test-support/donor.ts';
import { seriesResponse } from './test-support/series.ts';
import { campaignProgress, fullTerms, jsonResponse, SERVER } from './test-support/server.ts';
import { server } from './test-support/set-up.ts';
import { DONATIONS, listResponse, openPanel, openWholeTable, some } from './test-support/table.ts';
import { VIEW_STATES } from './test-support/view-states.ts';
import { waitUntil } from './test-support/wait-until.ts';

/**
 * Criteria of WCAG 2.2 that axe does not check, for docs/accessibility-conformance.md. Each title
 * describes one of them.
 */

/** WCAG 2.3.1: at most three flashes a second. */
const MIN_FLASH_MS = 1000 / 3;
/** WCAG 1.4.11. */
const MIN_CONTRAST = 3;
const TOOLS = 'search filters chart export print';
const CONTROLS = 'button, input, select, textarea, summary, a, [tabindex="0"]';
/** The settings of WCAG 1.4.12. */
const TEXT_SPACING = 'letter-spacing: 0.12em; word-spacing: 0.16em; line-height: 1.5';

beforeEach(() => {
  server.setForm({ terms: fullTerms() });
  server.on(DONATIONS, () => listResponse(some(3, 3)));
  server.on(`${DONATIONS}/series`, () => seriesResponse());
  server.on('/campaigns/camp_winter/progress', () => jsonResponse(campaignProgress()));
});
afterEach(() => document.documentElement.style.removeProperty('color-scheme'));

/** All matching elements below a root, also in the shadow roots in it. */
function findAll(root: ParentNode, selector: string): HTMLElement[] {
  const inside = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot ? findAll(shadowRoot, selector) : [],
  );
  return [...root.querySelectorAll<HTMLElement>(selector), ...inside];
}

const isShown = (element: Element) =>
  element.checkVisibility({ visibilityProperty: true }) && !element.closest('.hidden, [inert]');

async function openTableWithTools(style = ''): Promise<HTMLElement> {
  const table = await openWholeTable({ tools: TOOLS, style });
  await waitUntil(() => findAll(table.shadowRoot!, '.bars').length, 'the chart is drawn');
  await openPanel(table);
  return table;
}

async function openGoal(): Promise<HTMLElement> {
  const goal = await fixture<HTMLElement>(
    html`<connect-goal server=${SERVER} campaign="camp_winter"></connect-goal>`,
  );
  goal.scrollIntoView(); // It loads nothing while it is out of view.
  await waitUntil(() => findAll(goal.shadowRoot!, '[part=amount]')[0]?.textContent.trim(), 'sum');
  return goal;
}

const openForm = async () => {
  const donor = await Donor.open();
  donor.find('summary')!.click();
  return donor.element;
};

const ELEMENTS = { form: openForm, goal: openGoal, table: () => openTableWithTools() };

/** Expects what is true of every element in every state. */
function expectNoMediaOrFlashing(element: HTMLElement): void {
  const root = element.shadowRoot!;
  // A logo that the organization uploads may contain its name.
  const media = 'audio, video, object, embed, canvas, img:not(.logo), image, [accesskey]';
  expect(findAll(root, media)).to.deep.equal([]);
  const images = findAll(root, '*').map((one) => getComputedStyle(one).backgroundImage);
  expect(images.filter((image) => image.includes('url('))).to.deep.equal([]);
  for (const animation of root.getAnimations()) {
    const { duration, iterations } = animation.effect!.getComputedTiming();
    if (iterations! > 3) expect(Number(duration)).to.be.at.least(MIN_FLASH_MS);
  }
}

describe('audio, video, images of text, access keys and flashing', () => {
  for (const [viewState, { before, reach }] of Object.entries(VIEW_STATES)) {
    it(`are not in the form: ${viewState}`, async () => {
      before?.();
      const donor = await Donor.render();
      await reach(donor);
      expectNoMediaOrFlashing(donor.element);
    });
  }

  it('are not in a goal, nor in a table with its chart', async () => {
    expectNoMediaOrFlashing(await openGoal());
    expectNoMediaOrFlashing(await openTableWithTools());
  });
});

describe('the page around the elements', () => {
  it('keeps its title, and gets neither navigation nor links to other pages', async () => {
    document.title = 'Support our kitchen';
    const elements = [await openGoal(), await openTableWithTools(), await openForm()];
    for (const { shadowRoot } of elements) {
      expect(findAll(shadowRoot!, 'nav, [role=navigation], h1, main')).to.deep.equal([]);
      expect(findAll(shadowRoot!, 'a[href]:not([href^="#"])')).to.deep.equal([]);
    }
    const donor = new Donor(elements.at(-1) as Donor['element']);
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(document.title).to.equal('Support our kitchen');
  });
});

describe('pointers', () => {
  it('are used for clicks only: no dragging, multipoint gesture or motion', async () => {
    const types = new Set<string>();
    const { addEventListener } = EventTarget.prototype;
    EventTarget.prototype.addEventListener = function (type: string, ...rest) {
      types.add(type);
      addEventListener.call(this, type, ...rest);
    };
    try {
      for (const open of Object.values(ELEMENTS)) await open();
    } finally {
      EventTarget.prototype.addEventListener = addEventListener;
    }
    expect([...types]).to.include('click');
    const others = /^(touch|drag|drop|gesture|device|mousedown|mousemove|wheel|orientation)/;
    expect([...types].filter((type) => others.test(type))).to.deep.equal([]);
  });

  it('cause nothing until they are released on the control', async () => {
    const donor = await Donor.open();
    const button = donor.find('form .primary')!;
    button.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = button.getBoundingClientRect();
    const center: [number, number] = [Math.round(left + width / 2), Math.round(top + height / 2)];
    await sendMouse({ type: 'move', position: center });
    await sendMouse({ type: 'down' });
    await sendMouse({ type: 'move', position: [1, 1] });
    await sendMouse({ type: 'up' });
    expect(donor.find('#banner')).to.equal(null);
    await sendMouse({ type: 'click', position: center });
    await donor.waitForText('Check 3 fields');
  });
});

describe('keys of single characters', () => {
  it('have no effect outside of text fields', async () => {
    for (const [open, control] of [
      [openForm, 'form .primary'],
      [() => openTableWithTools(), '.open'],
    ] as const) {
      const { shadowRoot } = await open();
      const focused = shadowRoot!.querySelector<HTMLElement>(control)!;
      focused.focus();
      // The focus makes the form load its card fields.
      await waitUntil(() => !shadowRoot!.querySelector('.waiting'), 'the card fields');
      const content = shadowRoot!.innerHTML;
      for (const key of 'abcdefghijklmnopqrstuvwxyz0123456789?/.-+') {
        await sendKeys({ press: key });
      }
      expect(shadowRoot!.activeElement).to.equal(focused);
      expect(shadowRoot!.innerHTML).to.equal(content);
    }
  });
});

describe('a control', () => {
  it('opens nothing and keeps the focus when it is focused', async () => {
    for (const [name, open] of Object.entries(ELEMENTS)) {
      const { shadowRoot } = await open();
      const controls = findAll(shadowRoot!, CONTROLS).filter(isShown);
      if (name !== 'goal') expect(controls, name).to.have.length.above(10);
      for (const control of controls) {
        control.focus();
        const root = control.getRootNode() as ShadowRoot;
        expect(root.activeElement, control.outerHTML).to.equal(control);
        expect(findAll(document, 'dialog[open]')).to.deep.equal([]);
      }
    }
  });

  it('neither submits nor moves the focus when its value changes', async () => {
    const donor = new Donor(await openForm());
    const controls = (donor.all('input, select, textarea') as HTMLInputElement[]).filter(
      (one) => isShown(one) && !one.disabled,
    );
    expect(controls).to.have.length.above(10);
    for (const control of controls) {
      control.focus();
      if (control.type === 'radio' || control.type === 'checkbox') await sendKeys({ press: ' ' });
      else if (control instanceof HTMLSelectElement) await sendKeys({ press: 'ArrowDown' });
      else await sendKeys({ type: '7' });
      expect(donor.focused, control.outerHTML).to.equal(control);
    }
    expect(server.requestsTo('/payment-intents')).to.deep.equal([]);
    expect(donor.find('#banner')).to.equal(null);
  });

  it('of the donor’s details names its purpose to the browser', async () => {
    const donor = new Donor(await openForm());
    const purposes = donor
      .all('[autocomplete]:not([autocomplete=off])')
      .map((field) => [field.id, field.getAttribute('autocomplete')]);
    expect(purposes).to.deep.include(['name', 'name']);
    expect(purposes).to.deep.include(['email', 'email']);
  });

  it('has the same name in every table', async () => {
    const names = [];
    for (const tag of ['connect-donations', 'connect-donors', 'connect-payouts']) {
      const table = await openToolsOf(tag);
      names.push(findAll(table, '.tools button').map(({ textContent }) => textContent.trim()));
    }
    expect(names[0]).to.have.length.above(1);
    expect(names[1]).to.deep.equal(names[0]);
    expect(names[2]).to.deep.equal(names[0]);
  });
});

for (const scheme of ['light', 'dark']) {
  describe(`on a ${scheme} page`, () => {
    beforeEach(() => (document.documentElement.style.colorScheme = scheme));

    const expectContrast = (color: string, element: Element, where: string) => {
      const background = paintedColor(getComputedStyle(element).backgroundColor);
      const ratio = contrastRatio(paintedColor(color), background);
      expect(ratio, where).to.be.at.least(MIN_CONTRAST);
    };

    it('the borders of controls, the bars of a chart and of a goal have a contrast of 3 : 1', async () => {
      const { shadowRoot } = await openForm();
      const frame = shadowRoot!.querySelector('.frame')!;
      const boxes = 'input:not([type=radio]), select, textarea, .tiles .option > span';
      let bordered = 0;
      for (const box of findAll(shadowRoot!, boxes).filter(isShown)) {
        const style = getComputedStyle(box.closest('.other') ?? box.closest('.control') ?? box);
        if (style.borderTopStyle === 'none') continue;
        bordered += 1;
        expectContrast(style.borderTopColor, frame, box.outerHTML);
      }
      expect(bordered).to.be.at.least(9);
      expectContrast(
        getComputedStyle(shadowRoot!.querySelector('form .primary')!).backgroundColor,
        frame,
        'Give',
      );
      const segment = shadowRoot!.querySelector('.segments input:checked + span')!;
      expectContrast(getComputedStyle(segment).backgroundColor, frame, 'the selected frequency');
      const { shadowRoot: goal } = await openGoal();
      const bar = getComputedStyle(goal!.querySelector('[part=bar]')!).backgroundColor;
      expectContrast(bar, goal!.querySelector('[part=frame]')!, 'the bar of a goal');
      const table = await openTableWithTools();
      const tableFrame = table.shadowRoot!.querySelector('.frame')!;
      const [gross] = findAll(table.shadowRoot!, '.gross');
      expectContrast(getComputedStyle(gross!).fill, tableFrame, 'a bar of the chart');
      const tools = findAll(table.shadowRoot!, '.tools button, .tools input').filter(isShown);
      expect(tools).to.have.length(6);
      for (const box of tools) {
        expectContrast(getComputedStyle(box).borderTopColor, tableFrame, box.outerHTML);
      }
    });

    it('every focused control of a table is outlined in 3 : 1, and not covered', async () => {
      const table = await openTableWithTools();
      const frame = table.shadowRoot!.querySelector('.frame')!;
      let stops = 0;
      for (let presses = 0; presses < 40; presses += 1) {
        await sendKeys({ press: 'Tab' });
        const focused = deepActiveElement();
        if (!focused || !isWithin(focused, table)) continue;
        // The calendar button in a date input, which the browser outlines.
        if (!focused.matches(':focus')) continue;
        stops += 1;
        const { width: outline, color } = outlineOf(focused);
        expect(outline, focused.outerHTML).to.be.at.least(2);
        expectContrast(color, frame, focused.outerHTML);
        const { left, top, width, height } = focused.getBoundingClientRect();
        const root = focused.getRootNode() as ShadowRoot;
        const above = root.elementFromPoint(left + width / 2, top + height / 2);
        expect(focused.contains(above) || above?.contains(focused), focused.outerHTML).to.equal(
          true,
        );
      }
      expect(stops).to.be.above(6);
    });
  });
}

describe('text', () => {
  for (const [name, style] of [
    ['increased spacing', TEXT_SPACING],
    ['twice the size', 'font-size: 32px'],
  ] as const) {
    it(`of a table is complete with ${name} at the width of a phone`, async () => {
      const table = await openTableWithTools(`inline-size: 250px; ${style}`);
      await waitUntil(() => {
        const frame = table.shadowRoot!.querySelector('.frame')!;
        return frame.scrollWidth <= frame.clientWidth;
      }, 'the table fits');
      const texts = 'td, th, button, label, caption, h2, .summary';
      const lines = (cell: HTMLElement) =>
        cell.offsetHeight / parseFloat(getComputedStyle(cell).lineHeight);
      const narrow = findAll(table.shadowRoot!, 'td, th')
        .filter((cell) => isShown(cell) && lines(cell) > 5)
        .map(({ textContent }) => textContent);
      expect(narrow, 'cells whose text breaks within words').to.deep.equal([]);
      const cut = findAll(table.shadowRoot!, texts)
        .filter((one) => isShown(one) && getComputedStyle(one).overflowX !== 'visible')
        .filter((one) => one.scrollWidth > one.clientWidth + 1)
        .map(({ outerHTML }) => outerHTML);
      expect(cut).to.deep.equal([]);
    });
  }
});

describe('a phone', () => {
  for (const [orientation, width, height] of [
    ['portrait', 320, 568],
    ['landscape', 568, 320],
  ] as const) {
    it(`shows everything in ${orientation}`, async () => {
      const before = { width: innerWidth, height: innerHeight };
      await setViewport({ width, height });
      try {
        for (const open of Object.values(ELEMENTS)) {
          const element = await open();
          const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
          expect(wide, element.localName).to.equal(false);
          const shown = findAll(element.shadowRoot!, '.frame, [part=frame]')[0]!;
          expect(getComputedStyle(shown).transform).to.equal('none');
          expect(isShown(shown)).to.equal(true);
        }
      } finally {
        await setViewport(before);
      }
    });
  }
});

/** The outline in pixels; 0 if there is none. A bar of a chart has a stroke instead. */
function outlineOf(focused: Element) {
  const bar = focused.querySelector(':scope > .hit-area');
  const style = getComputedStyle(bar ?? focused);
  if (bar) return { width: parseFloat(style.strokeWidth), color: style.stroke };
  const isDrawn = style.outlineStyle !== 'none';
  return { width: isDrawn ? parseFloat(style.outlineWidth) : 0, color: style.outlineColor };
}

function deepActiveElement(): HTMLElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element as HTMLElement | null;
}

const isWithin = (element: Element, host: Element): boolean => {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot)) return false;
  return root.host === host || isWithin(root.host, host);
};

/** Opens a table of any kind, with one row and the tools that all kinds have. */
async function openToolsOf(tag: string): Promise<ShadowRoot> {
  const created_at = '2026-11-20T12:00:00.000Z';
  const donor = { id: 'donor_1', object: 'donor', first_name: 'Maya', created_at };
  const dates = { created: created_at, arrival_date: '2026-11-22T00:00:00.000Z' };
  const payout = { id: 'po_1', object: 'payout', amount_cents: 5000, currency: 'usd', ...dates };
  server.on('/api/v1/donors', () => listResponse([donor]));
  server.on('/api/v1/payouts', () => listResponse([{ ...payout, status: 'paid' }]));
  const main = await fixture<HTMLElement>(html`<main></main>`);
  const table = document.createElement(tag);
  table.setAttribute('server', SERVER);
  table.setAttribute('viewer-token', `names of ${tag}`);
  table.setAttribute('tools', 'search export print');
  main.append(table);
  const buttons = () => findAll(table.shadowRoot!, '.tools button');
  await waitUntil(() => buttons().length > 1, `the tools of ${tag}`);
  return table.shadowRoot!;
}
