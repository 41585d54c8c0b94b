import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import type { MembershipWithSettings } from '@connect-embed/api/users/membership';
import { dateElement } from '../pages/dashboard-layout.ts';
import { stepList, type ListedStep } from '../pages/step-list.ts';
import type { GoLiveState } from './load-state.ts';

/** What is said differently before live keys, with them, and when test keys have replaced them again. */
type Phase = 'testing' | 'live' | 'testing_again';

/** Renders the steps, what stays and what is left behind, and how to return to test keys. */
export function goLiveView(
  organization: MembershipWithSettings,
  state: GoLiveState,
  steps: readonly ListedStep[],
  hasOwnKeys: boolean,
): Html {
  const path = `/dashboard/${organization.organizationId}`;
  const phase =
    organization.livemode === true
      ? 'live'
      : state.liveSince === null
        ? 'testing'
        : 'testing_again';
  return html`<p>${introduction(phase, organization, state)}</p>
    ${stepsPanel(steps)}
    <div class="two-columns">${staysPanel(state)} ${leftBehindPanel(phase, path, state)}</div>
    ${phase === 'live' && hasOwnKeys ? backToTestPanel(path) : ''}
    ${phase === 'testing' ? html`<p class="muted">${CAN_RETURN}</p>` : ''}
    ${phase === 'testing_again' && hasOwnKeys ? realDonationsPanel(path) : ''}`;
}

function introduction(
  phase: Phase,
  { livemode, timeZone }: MembershipWithSettings,
  { liveSince }: GoLiveState,
): Html | string {
  if (livemode === null && liveSince)
    return 'You have removed your Stripe keys: your forms take no donations. Your real donations stay.';
  if (phase === 'testing_again')
    return 'You have returned to test keys: your forms take no real money. Your real donations stay.';
  if (phase === 'live')
    return liveSince
      ? html`Your forms take real money. You went live on ${dateElement(liveSince, timeZone)}.`
      : 'Your forms take real money.';
  return livemode === null
    ? 'You have no Stripe keys yet. Begin with test keys to try everything without money, or with live keys at once.'
    : 'Your forms work, but every payment is a test. These steps make donations real.';
}

function stepsPanel(steps: readonly ListedStep[]): Html {
  const done = steps.filter(({ isDone }) => isDone).length;
  return html`<section class="panel" aria-labelledby="steps">
    <div class="head">
      <h2 id="steps">Steps</h2>
      <span class="small muted">${done} of ${steps.length} done</span>
    </div>
    ${stepList(steps)}
  </section>`;
}

/** For example “3 campaigns”. */
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

const staysPanel = ({ forms, campaigns, funds, members, sites }: GoLiveState) =>
  html`<section class="panel" aria-labelledby="stays">
    <h2 id="stays">What stays</h2>
    <div class="text">
      <ul>
        <li>${counted(forms, 'published form')}, and the code on your pages</li>
        <li>${counted(campaigns, 'campaign')} and ${counted(funds, 'fund')}</li>
        <li>${counted(sites, 'allowed website')}</li>
        <li>${counted(members, 'person', 'people')} in your team, with their roles</li>
        <li>Your name, logo, receipts, texts and settings</li>
      </ul>
    </div>
  </section>`;

function leftBehindPanel(
  phase: Phase,
  path: string,
  { testDonations, testPlans }: GoLiveState,
): Html {
  const link = phase === 'testing' ? `${path}/donations` : `${path}/donations?mode=test`;
  return html`<section class="panel" aria-labelledby="left-behind">
    <h2 id="left-behind">What is left behind</h2>
    <div class="text">
      <ul>
        <li>
          ${
            testDonations === 0
              ? 'Test donations: you have none.'
              : html`<a href="${link}">${counted(testDonations, 'test donation')}</a>:
                  ${testDonations === 1 ? 'it stays' : 'they stay'} marked as a test, and
                  ${testDonations === 1 ? 'counts' : 'count'} in no total.`
          }
        </li>
        ${
          testPlans === 0
            ? ''
            : html`<li>
                ${counted(testPlans, 'recurring test donation')}:
                ${phase === 'testing' ? 'canceled when you enter live keys' : 'canceled'}. Nobody is
                charged, and nobody gets an email.
              </li>`
        }
        <li>
          ${
            phase === 'testing'
              ? 'Totals and the progress of campaigns start from zero.'
              : 'Totals and the progress of campaigns count real donations only.'
          }
        </li>
        <li>Donors of test donations stay in the list of donors, with nothing given.</li>
      </ul>
    </div>
  </section>`;
}

const CAN_RETURN =
  'You can return to test keys of the same Stripe account later, as long as no real recurring donation runs.';

const backToTestPanel = (path: string) =>
  html`<section class="panel" aria-labelledby="back">
    <h2 id="back">Back to test keys</h2>
    <p>
      You can try things out again without money: under
      <a href="${path}/payments">Payments</a>, replace your keys with test keys of the same Stripe
      account. This works while no recurring donation runs and no payment is being completed. Until
      your live keys are back:
    </p>
    ${WHILE_TESTING}
  </section>`;

const realDonationsPanel = (path: string) =>
  html`<section class="panel" aria-labelledby="meanwhile">
    <h2 id="meanwhile">Until your live keys are back</h2>
    ${WHILE_TESTING}
    <p><a href="${path}/donations">Your real donations</a></p>
  </section>`;

const WHILE_TESTING = html`<div class="text">
  <ul>
    <li>Your forms take no real money, and say so to donors.</li>
    <li>Real donations stay in your lists and totals. Test donations count nowhere.</li>
    <li>
      A real donation can be refunded at Stripe only. What happens there, such as refunds, disputes
      and payouts, appears here once your live keys are back.
    </li>
  </ul>
</div>`;
