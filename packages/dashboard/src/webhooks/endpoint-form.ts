import { CreateWebhookEndpoint, EVENT_TYPES } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { EVENT_LABELS } from './labels.ts';

/** Names of the API's fields in error messages. */
export const LABELS = { url: 'The URL' };

/** Submitted values of the endpoint form. */
export interface EndpointInput {
  url: string;
  events: readonly string[];
  description: string | null;
}

export const readEndpointInput = (field: (name: string) => string): EndpointInput => ({
  url: field('url').trim(),
  events: EVENT_TYPES.filter((type) => field(type) === 'on'),
  description: field('description').trim(),
});

/**
 * Validates a submitted endpoint by the same rules as `POST /webhooks`.
 *
 * @returns the endpoint, or an error message
 */
export function validateEndpointInput({
  url,
  events,
  description,
}: EndpointInput): CreateWebhookEndpoint | string {
  if (events.length === 0) return 'Select at least one event.';
  const result = CreateWebhookEndpoint.safeParse({ url, events, description });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return issue?.path[0] === 'url' ? 'Enter a valid URL.' : `The description ${issue?.message}`;
}

/** Renders the form to create or change a webhook endpoint. */
export const endpointForm = (
  enteredValues: EndpointInput,
  buttonLabel: string,
  action: string,
): Html =>
  html`<form method="post" action="${action}" class="panel">
    <div class="field">
      <label for="url">URL</label>
      <input
        id="url"
        name="url"
        type="url"
        required
        maxlength="2000"
        value="${enteredValues.url}"
        placeholder="https://example.org/connect"
        aria-describedby="url-hint"
      />
      <span id="url-hint" class="small muted">
        It must use https and be publicly reachable. Webhook events are sent as POST requests.
      </span>
    </div>
    <fieldset>
      <legend>Events</legend>
      <div class="choices">${EVENT_TYPES.map((type) => eventChoice(type, enteredValues))}</div>
    </fieldset>
    <div class="field">
      <label for="description">Description <span class="muted">(optional)</span></label>
      <input
        id="description"
        name="description"
        maxlength="500"
        value="${enteredValues.description ?? ''}"
      />
    </div>
    <button>${buttonLabel}</button>
  </form>`;

const eventChoice = (type: (typeof EVENT_TYPES)[number], { events }: EndpointInput) =>
  html`<label class="choice">
    <input type="checkbox" name="${type}" ${events.includes(type) ? html`checked` : ''} />
    <span>${EVENT_LABELS[type]} <code class="small muted">${type}</code></span>
  </label>`;
