import { expect, fixture, html, nextFrame } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import './define.ts';
import type { ConnectProvider } from './connect-provider.ts';
import { jsonResponse, pageSession, SERVER } from './test-support/server.ts';
import { server } from './test-support/set-up.ts';
import { DONATIONS, listResponse, some } from './test-support/table.ts';
import { waitUntil } from './test-support/wait-until.ts';

/** Tests on pages with their own dark mode, which do not set `color-scheme`. */

const TAGS = ['donations', 'donors', 'payouts', 'donation-details', 'payout-details'];
const PROGRESS = {
  object: 'campaign_progress',
  campaign_id: 'camp_winter',
  name: 'Winter meals',
  currency: 'usd',
  goal_cents: 2_000_000,
  raised_cents: 1_234_000,
};

const pageMode = html`
  <style>
    body {
      background: oklch(0.98 0 0);
    }
    :root.dark body {
      background: #101418;
      transition: background-color 50ms;
    }
  </style>
`;
const setDark = (dark: boolean) => (document.documentElement.className = dark ? 'dark' : '');
const schemeOf = (element: Element) => getComputedStyle(element).colorScheme;
const becomes = (element: Element, scheme: string) =>
  waitUntil(() => schemeOf(element) === scheme, `<${element.localName}> is ${scheme}`);

beforeEach(() => server.on(DONATIONS, () => listResponse(some(1, 1))));
afterEach(async () => {
  document.documentElement.removeAttribute('class');
  await emulateMedia({ colorScheme: 'light' });
});

describe('theme="auto" on a page with its own dark mode', () => {
  for (const tag of TAGS) {
    it(`makes <connect-${tag}> in a <connect-provider> follow the page`, async () => {
      const element = document.createElement(`connect-${tag}`);
      element.setAttribute('refresh-seconds', '0');
      setDark(true);
      const main = await fixture<HTMLElement>(html`
        <main>
          ${pageMode}
          <connect-provider
            theme="auto"
            .fetchSession=${async () => pageSession([], `viewer_${tag}`)}
          >
            ${element}
          </connect-provider>
        </main>
      `);
      const provider = main.querySelector<ConnectProvider>('connect-provider')!;
      await becomes(element, 'dark');
      setDark(false);
      await emulateMedia({ colorScheme: 'dark' });
      await becomes(element, 'light');
      setDark(true);
      await becomes(element, 'dark');
      provider.theme = 'light';
      await becomes(element, 'light');
      provider.theme = 'auto';
      await becomes(element, 'dark');
    });
  }

  it('makes <connect-goal> follow the page, also when it is moved', async () => {
    server.on('/campaigns/camp_winter/progress', () => jsonResponse(PROGRESS));
    setDark(true);
    const main = await fixture<HTMLElement>(html`
      <main>
        ${pageMode}
        <connect-goal server=${SERVER} campaign="camp_winter" theme="auto"></connect-goal>
        <div style="background: #fff"></div>
      </main>
    `);
    const goal = main.querySelector('connect-goal')!;
    await becomes(goal, 'dark');
    setDark(false);
    await emulateMedia({ colorScheme: 'dark' });
    await becomes(goal, 'light');
    setDark(true);
    await becomes(goal, 'dark');
    main.querySelector('div')!.append(goal);
    await becomes(goal, 'light');
    main.append(goal);
    await becomes(goal, 'dark');
    goal.setAttribute('theme', 'light');
    await becomes(goal, 'light');
    goal.setAttribute('theme', 'auto');
    await becomes(goal, 'dark');
  });

  it('is not used by <connect-goal> without a theme, which has the page’s color-scheme', async () => {
    server.on('/campaigns/camp_winter/progress', () => jsonResponse(PROGRESS));
    setDark(true);
    const main = await fixture<HTMLElement>(html`
      <main style="color-scheme: light">
        ${pageMode}
        <connect-goal server=${SERVER} campaign="camp_winter"></connect-goal>
      </main>
    `);
    const goal = main.querySelector('connect-goal')!;
    await waitUntil(() => goal.shadowRoot!.textContent.includes('$12,340'), 'the sum');
    expect(schemeOf(goal)).to.equal('light');
  });

  it('is computed at most once per frame, however often the page changes an attribute', async () => {
    server.on('/campaigns/camp_winter/progress', () => jsonResponse(PROGRESS));
    const main = await fixture<HTMLElement>(html`
      <main>
        <connect-goal server=${SERVER} campaign="camp_winter" theme="auto"></connect-goal>
      </main>
    `);
    const goal = main.querySelector('connect-goal')!;
    await waitUntil(() => goal.shadowRoot!.adoptedStyleSheets.length > 1, 'the theme is followed');
    await nextFrame(); // Ends the check that the drawing of the goal has caused.
    const { getComputedStyle: original } = window;
    let checkCount = 0;
    let frames = 0;
    const countFrame = () => {
      frames += 1;
      frame = requestAnimationFrame(countFrame);
    };
    let frame = requestAnimationFrame(countFrame);
    window.getComputedStyle = (element, pseudo) => {
      if (element === main.parentElement) checkCount += 1;
      return original(element, pseudo);
    };
    try {
      for (let change = 0; change < 10; change += 1) {
        main.style.top = `${change}px`;
        await Promise.resolve(); // Gives the observer a separate callback for each change.
      }
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      // A slow machine may render another frame before the timer.
      expect(checkCount).to.be.within(1, frames);
    } finally {
      cancelAnimationFrame(frame);
      window.getComputedStyle = original;
    }
  });
});
