import { expect, fixture, html } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import type { CampaignProgress } from '@connect-embed/contract';
import type { ConnectGoal } from './connect-goal.ts';
import './define.ts';
import { ConnectSuccessEvent } from './donation-events.ts';
import { pollDelays } from './goal/campaign-progress.ts';
import {
  campaignProgress,
  errorResponse,
  jsonResponse,
  neverResolves,
  SERVER,
} from './test-support/server.ts';
import { server } from './test-support/set-up.ts';
import { waitUntil } from './test-support/wait-until.ts';

const PATH = '/campaigns/camp_winter/progress';
const OTHER_PATH = '/campaigns/camp_other/progress';
const defaultDelays = { ...pollDelays };

const setProgress = (change: Partial<CampaignProgress> = {}) =>
  server.on(PATH, () => jsonResponse(campaignProgress(change)));

const part = (goal: ConnectGoal, name: string) =>
  goal.shadowRoot!.querySelector<HTMLElement>(`[part=${name}]`)!;
const announcement = (goal: ConnectGoal) =>
  goal.shadowRoot!.querySelector('[role=status]')!.textContent;
const text = (goal: ConnectGoal, name: string) => part(goal, name).textContent;

async function show(content = html``, drawn = true): Promise<ConnectGoal> {
  const goal = await fixture<ConnectGoal>(
    html`<connect-goal server=${SERVER} campaign="camp_winter">${content}</connect-goal>`,
  );
  if (drawn) await waitUntil(() => text(goal, 'amount').trim(), 'the sum');
  return goal;
}

beforeEach(() => setProgress());
afterEach(() => Object.assign(pollDelays, defaultDelays));

describe('<connect-goal>', () => {
  it('shows the sum raised, the goal and the percentage', async () => {
    const goal = await show();
    expect(text(goal, 'amount')).to.equal('$12,340.50');
    expect(text(goal, 'description')).to.equal('raised of $20,000');
    expect(text(goal, 'percentage')).to.equal('61%');
    const meter = part(goal, 'meter');
    expect(meter.role).to.equal('meter');
    expect(meter.ariaLabel).to.equal('Winter meals');
    expect([meter.ariaValueMin, meter.ariaValueNow, meter.ariaValueMax]).to.deep.equal([
      '0',
      '1234050',
      '2000000',
    ]);
    await waitUntil(() => Math.abs(shareOf(goal) - 0.617) < 0.01, 'the bar at its length');
  });

  it('shows the sum in one line with text of twice the size on a phone', async () => {
    const before = { width: innerWidth, height: innerHeight };
    await setViewport({ width: 320, height: 568 });
    try {
      const goal = await show();
      goal.style.cssText = 'font-size: 32px; inline-size: 260px';
      const amount = part(goal, 'amount');
      expect(amount.offsetHeight).to.be.below(2 * parseFloat(getComputedStyle(amount).lineHeight));
    } finally {
      await setViewport(before);
    }
  });

  it('shows only the sum without a goal', async () => {
    setProgress({ goal_cents: null });
    const goal = await show();
    expect(text(goal, 'description')).to.equal('raised');
    for (const name of ['meter', 'percentage']) {
      expect(getComputedStyle(part(goal, name)).visibility).to.equal('hidden');
    }
  });

  it('computes the percentage in whole cents', async () => {
    setProgress({ raised_cents: 29, goal_cents: 100 });
    expect(text(await show(), 'percentage')).to.equal('29%');
  });

  it('is full when the goal is reached, and not before', async () => {
    setProgress({ raised_cents: 1_999_999 });
    expect(text(await show(), 'percentage')).to.equal('99%');
    setProgress({ raised_cents: 2_600_000 });
    const goal = await show();
    expect(text(goal, 'percentage')).to.equal('130%');
    await waitUntil(() => shareOf(goal) > 0.99, 'a full bar');
    expect(part(goal, 'meter').ariaValueNow).to.equal('2000000');
  });

  it('formats numbers in the page’s language and the campaign’s currency', async () => {
    document.documentElement.lang = 'de';
    setProgress({ currency: 'eur' });
    const goal = await show();
    await waitUntil(() => text(goal, 'description').includes('gesammelt'), 'German');
    expect(text(goal, 'amount').replace(/\s/g, ' ')).to.equal('12.340,50 €');
    document.documentElement.lang = 'ja';
    setProgress({ currency: 'jpy' });
    await waitUntil(() => text(goal, 'description').includes('目標'), 'Japanese, while it stands');
  });

  it('has a locale property', async () => {
    const goal = await show();
    goal.locale = 'de';
    await waitUntil(() => text(goal, 'description').includes('von'), 'German');
    expect(goal.getAttribute('locale')).to.equal('de');
  });

  it('hides the meter from assistive technology until the progress is loaded', async () => {
    server.on(PATH, neverResolves);
    const goal = await show(undefined, false);
    expect(part(goal, 'meter').ariaHidden).to.equal('true');
  });

  it('replaces its messages with the messages attribute', async () => {
    const goal = await show();
    goal.setAttribute('messages', '{ "raisedOf": "given of {goal}" }');
    await goal.updateComplete;
    expect(text(goal, 'description')).to.equal('given of $20,000');
  });

  it('announces a changed sum once, and not the first one', async () => {
    Object.assign(pollDelays, { afterDonation: [10, 10] });
    const goal = await show();
    expect(announcement(goal)).to.equal('');
    setProgress({ raised_cents: 1_239_000 });
    goal.dispatchEvent(new ConnectSuccessEvent('pi_1', 5000, 'usd', false));
    await waitUntil(() => announcement(goal), 'the announcement');
    expect(announcement(goal)).to.equal('$12,390 raised of $20,000');
    expect(text(goal, 'amount')).to.equal('$12,390');
  });

  it('polls often after a donation on its page until it is included, without caches', async () => {
    Object.assign(pollDelays, { afterDonation: [10, 10, 10, 10] });
    const caches: unknown[] = [];
    const real = window.fetch;
    window.fetch = (url, init) => (caches.push(init?.cache), real(url, init));
    const goal = await show();
    server.on(PATH, (_, times) =>
      jsonResponse(campaignProgress({ raised_cents: times < 5 ? 1_234_050 : 1_239_000 })),
    );
    document.body.dispatchEvent(new ConnectSuccessEvent('pi_1', 5000, 'usd', false));
    await waitUntil(() => announcement(goal), 'the announcement');
    expect(caches[0]).to.equal('default');
    expect(caches.slice(1).every((mode) => mode === 'no-cache')).to.equal(true);
  });

  it('polls, and less often while nothing changes', async () => {
    Object.assign(pollDelays, { first: 20, longest: 160 });
    const times: number[] = [];
    server.on(PATH, () => (times.push(performance.now()), jsonResponse(campaignProgress())));
    await show();
    await waitUntil(() => times.length > 5, 'six polls');
    const delays = times.slice(1).map((at, nth) => at - times[nth]!);
    expect(delays[4]!, `${delays}`).to.be.at.least(160);
  });

  it('does not poll while it is hidden or disconnected', async () => {
    Object.assign(pollDelays, { first: 20, longest: 20 });
    const goal = await show();
    server.on(OTHER_PATH, () => jsonResponse(campaignProgress()));
    await fixture(html`<connect-goal server=${SERVER} campaign="camp_other"></connect-goal>`);
    const requestCount = () => server.requestsTo(PATH).length;
    /** Waits until another goal has polled ten times. */
    const waitForOther = async () => {
      const target = server.requestsTo(OTHER_PATH).length + 10;
      await waitUntil(() => server.requestsTo(OTHER_PATH).length >= target, 'ten polls');
    };
    goal.hidden = true;
    await waitForOther(); // A poll that was under way ends.
    const before = requestCount();
    await waitForOther();
    expect(requestCount()).to.equal(before);
    goal.hidden = false;
    await waitUntil(() => requestCount() > before, 'a poll once it is visible');
    goal.remove();
    await waitForOther(); // A poll that was under way ends.
    const after = requestCount();
    await waitForOther();
    expect(requestCount()).to.equal(after);
  });

  it('shows its fallback content while the progress cannot be loaded, and logs the error', async () => {
    server.on(PATH, () =>
      errorResponse('not_found', 'campaign: "camp_winter" is not available here.'),
    );
    const errors: unknown[] = [];
    const real = console.error;
    console.error = (...parts) => void errors.push(parts.join(' '));
    try {
      const goal = await show(html`<p>We have raised a lot.</p>`, false);
      const fallback = goal.querySelector('p')!;
      await waitUntil(
        () => fallback.checkVisibility() && fallback.offsetHeight > 0,
        'the fallback',
      );
      expect(errors.join()).to.match(
        /<connect-goal campaign="camp_winter">.*is not available here/,
      );
      setProgress();
      dispatchEvent(new Event('online'));
      await waitUntil(() => text(goal, 'amount').trim(), 'the sum');
      expect(fallback.offsetHeight).to.equal(0);
    } finally {
      console.error = real;
    }
  });

  it('is invisible with its height kept when it fails without fallback content, and logs once', async () => {
    Object.assign(pollDelays, { first: 10, longest: 10 });
    server.on(PATH, () =>
      errorResponse('not_found', 'campaign: "camp_winter" is not available here.'),
    );
    const errors: unknown[] = [];
    const real = console.error;
    console.error = (...parts) => void errors.push(parts.join(' '));
    try {
      const goal = await show(html``, false);
      const frame = part(goal, 'frame');
      const height = goal.offsetHeight;
      await waitUntil(() => server.requestsTo(PATH).length > 2, 'three polls');
      expect(frame.checkVisibility({ visibilityProperty: true })).to.equal(false);
      expect(goal.offsetHeight, 'nothing below it moves').to.equal(height);
      expect(errors).to.have.lengthOf(1);
      setProgress();
      await waitUntil(() => frame.checkVisibility({ visibilityProperty: true }), 'the sum');
    } finally {
      console.error = real;
    }
  });

  it('keeps its height in every state', async () => {
    server.on(PATH, neverResolves);
    const waiting = await show(html``, false);
    await waitUntil(() => waiting.offsetHeight, 'its space is reserved');
    const heights = [waiting.offsetHeight];
    for (const change of [{}, { goal_cents: null }, { raised_cents: 999_999_999 }]) {
      setProgress(change);
      heights.push((await show()).offsetHeight);
    }
    expect(new Set(heights).size, `${heights}`).to.equal(1);
  });

  it('has the same colors as the form', async () => {
    const page = await fixture(html`
      <div style="color-scheme: dark">
        <connect-goal server=${SERVER} campaign="camp_winter"></connect-goal>
        <connect-donate server=${SERVER}></connect-donate>
      </div>
    `);
    const [goal, form] = [...page.children].map((one) => getComputedStyle(one));
    for (const name of ['--_primary', '--_background', '--_text', '--_radius', '--_unit']) {
      expect(goal!.getPropertyValue(name), name).to.equal(form!.getPropertyValue(name));
    }
  });

  it('cuts off no text with increased letter spacing, in 280 pixels', async () => {
    const goal = await show();
    Object.assign(goal.style, {
      inlineSize: '280px',
      letterSpacing: '0.12em',
      wordSpacing: '0.16em',
      fontSize: '32px',
    });
    for (const name of ['amount', 'description', 'percentage', 'frame']) {
      const one = part(goal, name);
      expect(one.scrollWidth, name).to.be.at.most(Math.max(one.clientWidth, one.offsetWidth));
    }
  });
});

const shareOf = (goal: ConnectGoal) => {
  const [bar, meter] = [part(goal, 'bar'), part(goal, 'meter')];
  return bar.offsetWidth / (meter.clientWidth - 2);
};
