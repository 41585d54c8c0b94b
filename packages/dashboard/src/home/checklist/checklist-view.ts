import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import type { Membership, MembershipWithSettings } from '@connect-embed/api/users/membership';
import { stepList, type ListedStep } from '../../pages/step-list.ts';
import type { Checklist, Step } from './steps.ts';

export function checklistView({ steps }: Checklist, organization: Membership): Html {
  const base = `/dashboard/${organization.organizationId}`;
  const done = steps.filter(({ isDone }) => isDone).length;
  return html`<section class="panel" aria-labelledby="checklist">
    <div class="head">
      <h2 id="checklist">Get your first donation</h2>
      <span class="small muted">${done} of ${steps.length} steps done</span>
    </div>
    ${stepList(steps.map((step) => listedStep(step, base)))}
    ${
      organization.role === 'owner'
        ? html`<form method="post" action="${base}/checklist/hide">
            <button class="link small">Hide this list</button>
          </form>`
        : ''
    }
  </section>`;
}

/** A step that is done says no more than that. */
const listedStep = ({ name, isDone, text, path, linkText }: Step, base: string): ListedStep =>
  isDone ? { name, isDone } : { name, isDone, text, link: { href: base + path, text: linkText } };

/**
 * Renders the next step above the content of the other pages.
 *
 * @param path path of the page, which shows nothing where the step is done
 */
export function nextStepView(
  { steps, next }: Checklist,
  { organizationId, livemode }: MembershipWithSettings,
  path: string,
): Html {
  const base = `/dashboard/${organizationId}`;
  // The strip of the test mode names the last step.
  if (next === steps.at(-1) && livemode === false) return html``;
  if (path === base || path.startsWith(base + next.path)) return html``;
  const position = steps.indexOf(next) + 1;
  return html`<aside class="notice next-step" aria-label="Next step">
    <p>
      <span class="small muted">Next step (${position} of ${steps.length})</span><br />
      <strong>${next.name}</strong>
    </p>
    <p class="buttons">
      <a class="button" href="${base}${next.path}">${next.linkText}</a>
      <a href="${base}">All steps</a>
    </p>
  </aside>`;
}
