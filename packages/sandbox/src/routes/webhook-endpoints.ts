import { CONFIGURED_ENDPOINT_ID } from '../outbox.ts';
import { newId, randomText } from '../ids.ts';
import { flag, required, text, texts } from '../params.ts';
import { action, type ActionContext, listAndRetrieve } from '../resource-routes.ts';
import { invalidParamError } from '../stripe-error.ts';
import { API_VERSION, type WebhookEndpoint } from '../stripe-types.ts';

const CREATE_PARAMS = {
  url: text,
  enabled_events: texts,
  description: text,
  connect: flag,
  api_version: text,
};
const UPDATE_PARAMS = { enabled_events: texts, disabled: flag };
const DELETE_PARAMS = {};

/**
 * `/v1/webhook_endpoints` of the simulated Stripe API: webhook endpoints in addition to the
 * configured one.
 */
export const webhookEndpoints = () =>
  listAndRetrieve('webhook_endpoint')
    .post('/', action(CREATE_PARAMS, createWebhookEndpoint))
    .post('/:id', action(UPDATE_PARAMS, updateWebhookEndpoint))
    .delete('/:id', action(DELETE_PARAMS, deleteWebhookEndpoint));

function createWebhookEndpoint({ ledger, params }: ActionContext<typeof CREATE_PARAMS>) {
  const { connect = false, api_version = API_VERSION } = params;
  const secret = `whsec_${randomText(32)}`;
  const endpoint = ledger.add<WebhookEndpoint>(
    {
      id: newId('we'),
      object: 'webhook_endpoint',
      api_version,
      application: connect ? 'ca_sandbox' : null,
      created: ledger.now(),
      description: params.description ?? null,
      enabled_events: required(params.enabled_events, 'enabled_events'),
      livemode: false,
      metadata: {},
      status: 'enabled',
      url: parseUrl(required(params.url, 'url')),
    },
    { secret },
  );
  // Only this response contains the secret, as at Stripe.
  return { ...endpoint, secret };
}

function updateWebhookEndpoint({ ledger, id, params }: ActionContext<typeof UPDATE_PARAMS>) {
  const { disabled, ...enabledEvents } = params;
  requireEditable(id);
  return ledger.save({
    ...ledger.find('webhook_endpoint', id),
    ...enabledEvents,
    ...(disabled !== undefined && { status: disabled ? 'disabled' : 'enabled' }),
  });
}

function deleteWebhookEndpoint({ ledger, id }: ActionContext<typeof DELETE_PARAMS>) {
  requireEditable(id);
  ledger.remove(ledger.find('webhook_endpoint', id));
  return { id, object: 'webhook_endpoint', deleted: true };
}

function requireEditable(id: string) {
  if (id !== CONFIGURED_ENDPOINT_ID) return;
  throw invalidParamError(
    'id',
    'This endpoint is configured by SANDBOX_WEBHOOK_URL when the sandbox starts.',
  );
}

function parseUrl(url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  throw invalidParamError(
    'url',
    'Invalid URL: An explicit scheme (such as https) must be provided.',
  );
}
