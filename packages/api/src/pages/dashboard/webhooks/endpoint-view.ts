import { html } from 'hono/html';
import type { OrganizationEndpoint } from '../../../webhooks/organization-endpoints.ts';
import type { Html } from '../../layout.ts';
import { day, moment, timeZoneOf, type PageContext } from '../dashboard-layout.ts';
import { facts } from '../table.ts';
import { EVENT_LABELS, isManaged, creatorText, stateBadge, stateOf } from './labels.ts';

/** Page of one webhook endpoint: its state, the possible actions and its deliveries. */
export const endpointView = (
  place: PageContext,
  endpoint: OrganizationEndpoint,
  deliveries: Html,
) => {
  const path = place.path;
  const timeZone = timeZoneOf(place);
  return html`${stopped(path, endpoint, timeZone)}
    <section class="panel" aria-label="The endpoint">
      ${facts([
        ['Status', stateBadge(endpoint)],
        ['Description', endpoint.description || null],
        ['Made', html`${creatorText(endpoint)}, ${day(endpoint.created_at, timeZone)}`],
        ['Last tried', endpoint.last_tried_at && moment(endpoint.last_tried_at, timeZone)],
        ['Last error', endpoint.last_error],
        ['Signing', signing(endpoint, timeZone)],
      ])}
      <div>
        <p class="small quiet">It is told when</p>
        <ul class="plain">
          ${endpoint.events.map(
            (type) =>
              html`<li>
                ${EVENT_LABELS[type as keyof typeof EVENT_LABELS] ?? type}
                <code class="small quiet">${type}</code>
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
function stopped(path: string, endpoint: OrganizationEndpoint, timeZone: string): Html {
  const { why, canEnable } = stateOf(endpoint);
  if (!why) return html``;
  const since = endpoint.disabled_at;
  return html`<div class="notice problem">
    <p>
      Nothing is sent to this endpoint${since && html` since ${moment(since, timeZone)}`}. ${why}
    </p>
    ${
      canEnable
        ? html`<form method="post" action="${path}/enable">
            <button>Switch it on</button>
          </form>`
        : ''
    }
  </div>`;
}

function signing(
  { previous_secret_until: until }: OrganizationEndpoint,
  timeZone: string,
): Html | string {
  if (!until || until <= new Date()) return 'With its one secret';
  return html`With two secrets, the one before the last change too, until ${moment(until, timeZone)}`;
}

function buttons(path: string, endpoint: OrganizationEndpoint): Html {
  const own = isManaged(endpoint);
  return html`${
      endpoint.of_app
        ? html`<p class="small quiet">
            The application manages it: it alone changes the address, the events and the secret. You
            can stop it here.
          </p>`
        : ''
    }
    <div class="buttons">
      ${own ? html`<a class="button second" href="${path}/edit">Change</a>` : ''}
      ${own ? html`<a class="button second" href="${path}/rotate-secret">New secret</a>` : ''}
      ${
        stateOf(endpoint).isSending
          ? html`<a class="button second" href="${path}/disable">Switch off</a>`
          : ''
      }
      <a class="button danger" href="${path}/delete">Delete</a>
    </div>`;
}

const testForm = (path: string, { events }: OrganizationEndpoint) =>
  html`<form method="post" action="${path}/test" class="panel line" aria-labelledby="test">
    <h2 id="test">Send a test</h2>
    <p class="quiet">
      A made-up event, marked <code>"livemode": false</code>, about something that does not exist.
    </p>
    <div class="field">
      <label for="event_type">Event</label>
      <select id="event_type" name="event_type">
        ${events.map((type) => html`<option value="${type}">${type}</option>`)}
      </select>
    </div>
    <button class="second">Send the test</button>
  </form>`;
