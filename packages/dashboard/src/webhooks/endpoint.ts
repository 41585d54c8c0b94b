import { EVENT_TYPES, type EventType } from '@connect-embed/contract';
import { Hono } from 'hono';
import type { Deps } from '../pages/deps.ts';
import { deleteEndpoint, enableEndpoint } from '@connect-embed/api/webhooks/endpoints';
import type { OrganizationEndpoint } from '@connect-embed/api/webhooks/organization-endpoints';
import { rotateSecret } from '@connect-embed/api/webhooks/secrets';
import { sendTestEvent } from '@connect-embed/api/webhooks/redeliver';
import { disableEndpoint } from '@connect-embed/api/webhooks/save-outcome';
import { readForm } from '@connect-embed/api/http/read-form';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { actionRoutes, type Action } from '../pages/actions.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { readDeliveries } from './deliveries.ts';
import { endpointView } from './endpoint-view.ts';
import { editPage } from './endpoint-form.ts';
import { endpointPath, loadEndpoint } from './endpoint-in-path.ts';
import { isManaged, requireAvailable, stateOf } from './labels.ts';

/**
 * Dashboard pages of one webhook endpoint, where members view, edit, test, enable, disable and
 * delete it and rotate its secret.
 */
export const webhookEndpoint = (deps: Deps) => {
  const edit = editPage(deps);
  return new Hono<DashboardEnv>()
    .get('/', (c) => renderEndpoint(c, deps))
    .get('/edit', edit.show)
    .post('/edit', edit.submit)
    .route('/', endpointActions(deps));
};

async function renderEndpoint(c: DashboardContext, deps: Deps) {
  const endpoint = await loadEndpoint(c, deps);
  const deliveries = await readDeliveries(deps, c, endpoint);
  return renderPage(c, {
    title: endpoint.url,
    backLink: { href: organizationPath(c, '/webhooks'), text: 'Webhooks' },
    content: endpointView({ ...c.var.pageContext, path: endpointPath(c) }, endpoint, deliveries),
  });
}

const isEventType = (text: string): text is EventType => EVENT_TYPES.includes(text as EventType);

const endpointActions = ({ db, webhooks, baseUrl }: Deps) =>
  actionRoutes<OrganizationEndpoint>(
    {
      load: (c) => loadEndpoint(c, { db }),
      page: ({ url }, c) => ({ href: endpointPath(c), text: url }),
    },
    {
      enable: {
        run: async (endpoint) => {
          requireAvailable(stateOf(endpoint).canEnable);
          await enableEndpoint(db, endpoint);
        },
        success: 'Endpoint turned on. New events will be sent to it.',
      },
      disable: {
        confirmation: () => ({
          title: 'Turn off the endpoint?',
          text: 'Pending deliveries are canceled, and events that occur while the endpoint is off are not sent. You can turn it on again at any time.',
          buttonLabel: 'Turn off',
        }),
        run: async (endpoint) => {
          requireAvailable(stateOf(endpoint).isSending);
          await disableEndpoint(db, { endpoint_id: endpoint.id }, 'paused');
        },
        success: 'Endpoint turned off. No more events will be sent to it.',
      },
      test: {
        run: async (endpoint, c) => {
          const type = (await readForm(c))('event_type');
          requireAvailable(isEventType(type) && stateOf(endpoint).isSending);
          return (await sendTestEvent(db, endpoint, type, { baseUrl })).id;
        },
        success: 'Test event queued. Reload the page to see the result.',
        redirect: (_, c, id) => `${endpointPath(c)}/deliveries/${String(id)}`,
      },
      'rotate-secret': rotationAction(db, webhooks),
      delete: {
        confirmation: deletionConfirmation,
        run: (endpoint) => deleteEndpoint(db, endpoint),
        success: 'Endpoint deleted.',
        redirect: (_, c) => organizationPath(c, '/webhooks'),
      },
    },
  );

const rotationAction = (
  db: Deps['db'],
  { secretEncrypter }: Deps['webhooks'],
): Action<OrganizationEndpoint> => ({
  confirmation: () => ({
    title: 'Create a new signing secret?',
    text: 'For 24 hours, each webhook event is signed with both the current and the new secret, so that you can update your endpoint without interruption. After that, only the new secret is used.',
    buttonLabel: 'Create new secret',
  }),
  run: async (endpoint) => {
    requireAvailable(isManaged(endpoint));
    return await rotateSecret(db, secretEncrypter, endpoint, new Date());
  },
  success: 'For the next 24 hours, webhook events are signed with both the old and the new secret.',
  secretName: 'New signing secret',
});

const deletionConfirmation = ({ is_created_by_app }: OrganizationEndpoint) => ({
  title: 'Delete the endpoint?',
  text: `The endpoint will receive no more events, and its delivery history will be deleted. This cannot be undone.${is_created_by_app ? ' The app that created it can create another one. To prevent that, disconnect the app.' : ''}`,
  buttonLabel: 'Delete endpoint',
});
