import { ConnectError, EVENT_TYPES, type EventType } from '@connect-embed/contract';
import { Hono } from 'hono';
import type { Deps } from '../pages/deps.ts';
import {
  checkUrl,
  deleteEndpoint,
  enableEndpoint,
  updateEndpoint,
} from '@connect-embed/api/webhooks/endpoints';
import type { OrganizationEndpoint } from '@connect-embed/api/webhooks/organization-endpoints';
import { rotateSecret } from '@connect-embed/api/webhooks/secrets';
import { sendTestEvent } from '@connect-embed/api/webhooks/redeliver';
import { disableEndpoint } from '@connect-embed/api/webhooks/save-outcome';
import { readForm } from '@connect-embed/api/http/read-form';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { actionRoutes, type Action } from '../pages/actions.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { resultOrFormError } from '../pages/to-form-error.ts';
import { readDeliveries } from './deliveries.ts';
import { endpointView } from './endpoint-view.ts';
import {
  validateEndpointInput,
  endpointForm,
  LABELS,
  readEndpointInput,
  type EndpointInput,
} from './endpoint-form.ts';
import { endpointPath, loadEndpoint } from './endpoint-in-path.ts';
import { isManaged, stateOf } from './labels.ts';

/**
 * Dashboard pages of one webhook endpoint, where members view, edit, test, enable, disable and
 * delete it and rotate its secret.
 */
export const webhookEndpoint = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', (c) => renderEndpoint(c, deps))
    .get('/edit', async (c) => {
      const endpoint = await loadEndpoint(c, deps);
      return isManaged(endpoint) ? renderEditPage(c, endpoint) : await rejectChange(c);
    })
    .post('/edit', (c) => saveEndpoint(c, deps))
    .post('/test', (c) => sendTest(c, deps))
    .route('/', endpointActions(deps));

async function renderEndpoint(c: DashboardContext, deps: Deps) {
  const endpoint = await loadEndpoint(c, deps);
  const deliveries = await readDeliveries(deps, c, endpoint);
  return renderPage(c, {
    title: endpoint.url,
    backLink: { href: organizationPath(c, '/webhooks'), text: 'Webhooks' },
    content: endpointView({ ...c.var.pageContext, path: endpointPath(c) }, endpoint, deliveries),
  });
}

function renderEditPage(c: DashboardContext, enteredValues: EndpointInput, problem?: string) {
  return renderPage(c, {
    title: 'Edit endpoint',
    backLink: { href: endpointPath(c), text: 'Endpoint' },
    content: endpointForm(enteredValues, 'Save', `${endpointPath(c)}/edit`),
    problem,
  });
}

async function saveEndpoint(c: DashboardContext, { db, webhooks }: Deps) {
  const endpoint = await loadEndpoint(c, { db });
  if (!isManaged(endpoint)) return await rejectChange(c);
  const enteredValues = readEndpointInput(await readForm(c));
  const change = validateEndpointInput(enteredValues);
  if (typeof change === 'string') return renderEditPage(c, enteredValues, change);
  const problem = await resultOrFormError(async () => {
    await checkUrl(webhooks.hosts, change.url);
    await updateEndpoint(db, endpoint, change);
  }, LABELS);
  if (problem) return renderEditPage(c, enteredValues, problem);
  const text = 'Endpoint saved.';
  return await c.var.redirectWithFlash(endpointPath(c), { kind: 'success', text });
}

/** Sends a test event and redirects to its delivery. */
async function sendTest(c: DashboardContext, deps: Deps) {
  const endpoint = await loadEndpoint(c, deps);
  const type = (await readForm(c))('event_type');
  if (!isEventType(type) || !stateOf(endpoint).isSending) return await rejectChange(c);
  const sent = await resultOrFormError(() => sendTestEvent(deps.db, endpoint, type, deps));
  if (typeof sent === 'string')
    return await c.var.redirectWithFlash(endpointPath(c), { kind: 'problem', text: sent });
  const text = 'Test event queued. Reload the page to see the result.';
  const path = `${endpointPath(c)}/deliveries/${sent.id}`;
  return await c.var.redirectWithFlash(path, { kind: 'success', text });
}

const isEventType = (text: string): text is EventType => EVENT_TYPES.includes(text as EventType);

const NOT_AVAILABLE = 'This action is not available for the endpoint in its current status.';

/**
 * Redirects with a message that the change is not possible in the current state of the endpoint,
 * for example because the page was outdated when its button was pressed.
 */
const rejectChange = (c: DashboardContext) =>
  c.var.redirectWithFlash(endpointPath(c), { kind: 'problem', text: NOT_AVAILABLE });

/** @throws {ConnectError} `conflict` if the state of the endpoint does not allow the action */
function requireAvailable(isAvailable: boolean | undefined): void {
  if (!isAvailable) throw new ConnectError('conflict', NOT_AVAILABLE);
}

const endpointActions = ({ db, webhooks }: Deps) =>
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
