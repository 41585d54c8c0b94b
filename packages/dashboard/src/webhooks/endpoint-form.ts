import { EVENT_TYPES, type CreateWebhookEndpoint, type EventType } from '@connect-embed/contract';
import { html } from 'hono/html';
import { checkUrl, createEndpoint, updateEndpoint } from '@connect-embed/api/webhooks/endpoints';
import type { OrganizationEndpoint } from '@connect-embed/api/webhooks/organization-endpoints';
import { newSecret, secretOf } from '@connect-embed/api/webhooks/secrets';
import type { Deps } from '../pages/deps.ts';
import { required, someOf, text, url, withDefault, type FieldsOf } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { organizationPath } from '../pages/render-page.ts';
import { endpointPath, loadEndpoint } from './endpoint-in-path.ts';
import { EVENT_LABELS, isManaged, requireAvailable } from './labels.ts';

const FIELDS: FieldsOf<CreateWebhookEndpoint> = {
  url: required(
    {
      ...url({
        label: 'URL',
        hint: 'For example https://example.org/connect. It must use https and be publicly reachable. Webhook events are sent as POST requests.',
      }),
      // `checkUrl` checks it: for development, the configuration can allow a host with http.
      read: (form, name) => form.text(name, 2000),
    },
    'Enter the URL that receives the events.',
  ),
  events: someOf({
    label: 'Events',
    choices: EVENT_TYPES.map((value) => {
      const [resource, change] = value.split('.');
      const hint = html`<code>${resource}.<wbr />${change}</code>`;
      return { value, text: EVENT_LABELS[value], hint };
    }),
    problem: 'Select at least one event.',
  }),
  description: withDefault(text({ label: 'Description', max: 500 }), ''),
};

/** Dashboard page that creates an endpoint. The page of the endpoint then shows its secret once. */
export const creationPage = ({ db, webhooks }: Deps) =>
  formPage<undefined, CreateWebhookEndpoint>({
    load: () => Promise.resolve(undefined),
    title: () => 'Add endpoint',
    backLink: (_, c) => ({ href: organizationPath(c, '/webhooks'), text: 'Webhooks' }),
    action: (_, c) => organizationPath(c, '/webhooks'),
    fields: () => FIELDS,
    values: () => ({}),
    submitLabel: 'Add endpoint',
    save: async (input, _, c) => {
      const { organizationId } = c.var.organization;
      await checkUrl(webhooks.hosts, input.url);
      const secret = newSecret();
      const owner = { organizationId, credentialId: null };
      const encrypted = await webhooks.secretEncrypter.encrypt(secret, secretOf(organizationId));
      const { id } = await createEndpoint(db, owner, input, encrypted);
      return {
        path: organizationPath(c, `/webhooks/${id}`),
        success: 'Endpoint created. Use this secret to verify the signatures of webhook events.',
        secret: { name: 'Signing secret', value: secret },
      };
    },
  });

/** Dashboard page that changes an endpoint which the organization manages. */
export const editPage = ({ db, webhooks }: Deps) =>
  formPage<OrganizationEndpoint, CreateWebhookEndpoint>({
    load: async (c) => {
      const endpoint = await loadEndpoint(c, { db });
      requireAvailable(isManaged(endpoint));
      return endpoint;
    },
    title: () => 'Edit endpoint',
    backLink: (_, c) => ({ href: endpointPath(c), text: 'Endpoint' }),
    action: (_, c) => `${endpointPath(c)}/edit`,
    fields: () => FIELDS,
    values: ({ url, events, description }) => ({
      url,
      events: events as EventType[],
      description: description ?? '',
    }),
    submitLabel: 'Save',
    save: async (input, endpoint, c) => {
      await checkUrl(webhooks.hosts, input.url);
      await updateEndpoint(db, endpoint, input);
      return { path: endpointPath(c), success: 'Endpoint saved.' };
    },
  });
