import { html } from 'hono/html';
import type { OrganizationEndpoint } from '@connect-embed/api/webhooks/organization-endpoints';
import type { Html } from '@connect-embed/api/lib/html';
import { dateElement, exactTimeElement, timeZoneOf } from '../pages/dashboard-layout.ts';
import type { PageContext } from '../pages/env.ts';
import { facts } from '../pages/table.ts';
import { EVENT_LABELS, isManaged, creatorText, stateBadge, stateOf } from './labels.ts';

/** Renders the page of one webhook endpoint: its state, the possible actions and its deliveries. */
export const endpointView = (
  pageContext: PageContext,
  endpoint: OrganizationEndpoint,
  deliveries: Html,
) => {
  const path = pageContext.path;
  const timeZone = timeZoneOf(pageContext);
  return html`${stoppedNotice(path, endpoint, timeZone)}
    <section class="panel" aria-label="Endpoint">
      ${facts([
        ['Status', stateBadge(endpoint)],
        ['Description', endpoint.description || null],
        ['Source', html`${creatorText(endpoint)}, ${dateElement(endpoint.created_at, timeZone)}`],
        [
          'Last attempt',
          endpoint.last_attempt_at && exactTimeElement(endpoint.last_attempt_at, timeZone),
        ],
        ['Last error', endpoint.last_error],
        ['Signing secret', signingSecretText(endpoint, timeZone)],
      ])}
      <div>
        <p class="small muted">Events</p>
        <ul class="plain">
          ${endpoint.events.map(
            (type) =>
              html`<li>
                ${EVENT_LABELS[type as keyof typeof EVENT_LABELS] ?? type}
                <code class="small muted">${type}</code>
              </li>`,
          )}
        </ul>
      </div>
      ${buttons(path, endpoint)}
    </section>
    ${stateOf(endpoint).isSending ? testForm(path, endpoint) : ''} ${deliveries}`;
};

/**
 * Explains why the endpoint receives no events, with a button to enable it again if that is
 * possible.
 */
function stoppedNotice(path: string, endpoint: OrganizationEndpoint, timeZone: string): Html {
  const { statusReason, canEnable } = stateOf(endpoint);
  if (!statusReason) return html``;
  const since = endpoint.disabled_at;
  return html`<div class="notice problem">
    <p>
      No events are sent to this
      endpoint${since && html` (since ${exactTimeElement(since, timeZone)})`}. ${statusReason}
    </p>
    ${
      canEnable
        ? html`<form method="post" action="${path}/enable">
            <button>Turn on</button>
          </form>`
        : ''
    }
  </div>`;
}

function signingSecretText(
  { previous_secret_until: until }: OrganizationEndpoint,
  timeZone: string,
): Html | string {
  if (!until || until <= new Date()) return 'One active secret';
  return html`Two active secrets; the previous one works until ${exactTimeElement(until, timeZone)}`;
}

function buttons(path: string, endpoint: OrganizationEndpoint): Html {
  const isEditable = isManaged(endpoint);
  return html`${
      endpoint.is_created_by_app
        ? html`<p class="small muted">
            Only the app that created this endpoint can change its URL, events and secret. You can
            turn it off or delete it here.
          </p>`
        : ''
    }
    <div class="buttons">
      ${isEditable ? html`<a class="button secondary" href="${path}/edit">Edit</a>` : ''}
      ${isEditable ? html`<a class="button secondary" href="${path}/rotate-secret">New secret</a>` : ''}
      ${
        stateOf(endpoint).isSending
          ? html`<a class="button secondary" href="${path}/disable">Turn off</a>`
          : ''
      }
      <a class="button danger" href="${path}/delete">Delete</a>
    </div>`;
}

const testForm = (path: string, { events }: OrganizationEndpoint) =>
  html`<form method="post" action="${path}/test" class="panel line" aria-labelledby="test">
    <h2 id="test">Send a test event</h2>
    <p class="muted">
      A sample event with <code>"livemode": false</code>. It does not refer to real data.
    </p>
    <div class="field">
      <label for="event_type">Event</label>
      <select id="event_type" name="event_type">
        ${events.map((type) => html`<option value="${type}">${type}</option>`)}
      </select>
    </div>
    <button class="secondary">Send test event</button>
  </form>`;
