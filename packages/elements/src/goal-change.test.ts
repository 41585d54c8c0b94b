import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import type { ConnectGoal } from './connect-goal.ts';
import './define.ts';
import { jsonResponse, errorResponse, SERVER } from './test-support/server.ts';
import { server } from './test-support/set-up.ts';
import { untilQuiet } from './test-support/until-quiet.ts';
import { waitUntil } from './test-support/wait-until.ts';

const progress = (id: string, raised_cents: number) =>
  jsonResponse({
    object: 'campaign_progress',
    campaign_id: id,
    name: id,
    currency: 'usd',
    goal_cents: null,
    raised_cents,
  });
const addressOf = (id: string) => `/campaigns/${id}/progress`;
const sumOf = (goal: ConnectGoal) => goal.shadowRoot!.querySelector('[part=amount]')?.textContent;

/** Returns the lines that are logged with `console.error` while `act` runs. */
async function linesLoggedWhile(act: (lines: string[]) => Promise<void>): Promise<string[]> {
  const { error } = console;
  const lines: string[] = [];
  console.error = (...parts: unknown[]) => lines.push(parts.join(' '));
  await act(lines);
  console.error = error;
  return lines;
}

describe('<connect-goal> with a changed campaign', () => {
  it('requests the campaign of a connected organization without an encoded slash', async () => {
    const name = 'org_harbor/camp_winter';
    server.on(addressOf(name), () => progress(name, 70_000));
    const goal = await fixture<ConnectGoal>(
      html`<connect-goal server=${SERVER} campaign=${name}></connect-goal>`,
    );
    await waitUntil(() => sumOf(goal) === '$700', 'the sum');
  });

  it('shows the new campaign even if the first is still loading', async () => {
    let respond = (_: Response) => {};
    server.on(addressOf('first'), () => new Promise<Response>((resolve) => (respond = resolve)));
    server.on(addressOf('other'), () => progress('other', 70_000));
    const goal = await fixture<ConnectGoal>(
      html`<connect-goal server=${SERVER} campaign="first"></connect-goal>`,
    );
    await waitUntil(() => server.requestsTo(addressOf('first')).length, 'requested');
    goal.setAttribute('campaign', 'other');
    respond(progress('first', 10_000));
    await waitUntil(() => sumOf(goal) === '$700', 'the other sum');
  });

  for (const inThePage of [true, false]) {
    const where = inThePage ? 'in the page' : 'while it was out of the page';
    it(`never shows the first sum for the other campaign, changed ${where}`, async () => {
      server.on(addressOf('first'), () => progress('first', 10_000));
      let respond = (_: Response) => {};
      server.on(addressOf('other'), () => new Promise<Response>((resolve) => (respond = resolve)));
      const goal = await fixture<ConnectGoal>(
        html`<connect-goal server=${SERVER} campaign="first"></connect-goal>`,
      );
      await waitUntil(() => sumOf(goal) === '$100', 'the first sum');
      const container = goal.parentElement!;
      if (!inThePage) goal.remove();
      goal.setAttribute('campaign', 'other');
      if (!inThePage) container.append(goal);
      await waitUntil(() => server.requestsTo(addressOf('other')).length, 'requested');
      expect(sumOf(goal)).to.equal('');
      const ready = oneEvent(goal, 'connect-ready');
      respond(progress('other', 70_000));
      await ready;
      expect(sumOf(goal)).to.equal('$700');
      expect(goal.shadowRoot!.querySelector('[role=status]')!.textContent).to.equal('');
    });
  }

  it('shows fallback content that the page adds after a failure', async () => {
    server.on(addressOf('first'), () => errorResponse('not_found', 'No first.'));
    const goal = await fixture<ConnectGoal>(
      html`<connect-goal server=${SERVER} campaign="first"></connect-goal>`,
    );
    await linesLoggedWhile((lines) => waitUntil(() => lines.length, 'logged'));
    const fallback = document.createElement('p');
    fallback.textContent = 'We have raised a lot.';
    goal.append(fallback);
    await waitUntil(() => fallback.checkVisibility() && fallback.offsetHeight > 0, 'the fallback');
  });

  it('takes properties that are set before or after the tag is defined', async () => {
    server.on(addressOf('first'), () => progress('first', 10_000));
    server.on(addressOf('other'), () => progress('other', 70_000));
    // An element of a document without custom elements is upgraded when it is adopted.
    const inert = document.implementation.createHTMLDocument().createElement('connect-goal');
    Object.assign(inert, { server: SERVER, campaign: 'first', locale: 'en' });
    const messages = { raised: 'given' };
    Object.assign(inert, { messages });
    const holder = await fixture<HTMLElement>(html`<div></div>`);
    holder.append(inert);
    const goal = inert as ConnectGoal;
    await waitUntil(() => sumOf(goal) === '$100', 'the first sum');
    expect(goal.shadowRoot!.textContent).to.include('given');
    expect(goal.getAttribute('campaign')).to.equal('first');
    expect(goal.messages).to.equal(messages);
    goal.messages = { raised: 'collected' };
    await goal.updateComplete;
    expect(goal.shadowRoot!.textContent).to.include('collected');
    goal.campaign = 'other';
    await waitUntil(() => sumOf(goal) === '$700', 'the other sum');
    goal.theme = 'dark';
    await goal.updateComplete;
    expect(getComputedStyle(goal).colorScheme).to.equal('dark');
    goal.theme = '';
    await goal.updateComplete;
    expect(getComputedStyle(goal).colorScheme).to.equal('normal');
  });

  it('reports invalid values in the console', async () => {
    server.on(addressOf('first'), () => progress('first', 10_000));
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => warnings.push(text);
    await fixture(html`
      <connect-goal
        server=${SERVER}
        campaign="first"
        theme=${'pink' as 'dark'}
        messages="{ no JSON"
      ></connect-goal>
    `);
    console.warn = warn;
    expect(warnings.sort()).to.deep.equal([
      '<connect-goal> messages="{ no JSON": must be a JSON object.',
      '<connect-goal> theme="pink": must be one of light, dark, auto.',
    ]);
  });

  it('does not reload when the same campaign is set again', async () => {
    server.on(addressOf('first'), () => progress('first', 10_000));
    const goal = await fixture<ConnectGoal>(
      html`<connect-goal server=${SERVER} campaign="first"></connect-goal>`,
    );
    await waitUntil(() => sumOf(goal) === '$100', 'the sum');
    goal.setAttribute('campaign', 'first');
    await untilQuiet();
    expect(sumOf(goal)).to.equal('$100');
    expect(server.requestsTo(addressOf('first'))).to.have.length(1);
  });

  it('logs an error for each campaign that cannot be loaded', async () => {
    for (const id of ['first', 'other']) {
      server.on(addressOf(id), () => errorResponse('not_found', `No ${id}.`));
    }
    const logged = await linesLoggedWhile(async (lines) => {
      const goal = await fixture<ConnectGoal>(
        html`<connect-goal server=${SERVER} campaign="first"></connect-goal>`,
      );
      await waitUntil(() => lines.length === 1, 'the first change is logged');
      goal.setAttribute('campaign', 'other');
      await waitUntil(() => lines.length === 2, 'the second change is logged');
    });
    expect(logged.join('\n')).to.match(/No first[^]*No other/);
  });

  it('sends no request without a campaign, and logs what is missing', async () => {
    const logged = await linesLoggedWhile(async (lines) => {
      await fixture(html`<connect-goal server=${SERVER}></connect-goal>`);
      await waitUntil(() => lines.length, 'logged');
      await untilQuiet();
    });
    expect(logged).to.have.length(1);
    expect(logged[0]).to.contain('campaign is required');
    expect(server.requestsTo(addressOf(''))).to.have.length(0);
  });
});
