import { EVENT_TYPES, type EventType } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import type { Deps } from '../../deps.ts';
import {
  checkUrl,
  deleteEndpoint,
  enableEndpoint,
  updateEndpoint,
} from '../../../webhooks/endpoints.ts';
import { findOrganizationEndpoint } from '../../../webhooks/organization-endpoints.ts';
import { rotateSecret } from '../../../webhooks/secrets.ts';
import { sendTestEvent } from '../../../webhooks/redeliver.ts';
import { disableEndpoint } from '../../../webhooks/save-outcome.ts';
import { readForm } from '../../read-form.ts';
import { confirmation } from '../confirmation.ts';
import type { DashboardEnv, FlashMessage } from '../env.ts';
import { dashboardPage } from '../dashboard-layout.ts';
import { resultOrFormError } from '../to-form-error.ts';
import { readDeliveries } from './deliveries.ts';
import { endpointView } from './endpoint-view.ts';
import {
  validateEndpointInput,
  endpointForm,
  LABELS,
  readEndpointInput,
  type EndpointInput,
} from './endpoint-form.ts';
import { CONFIRMATIONS } from './confirmations.ts';
import { isManaged, stateOf } from './labels.ts';

/**
 * Dashboard pages of one webhook endpoint, where members view, edit, test, enable, disable and
 * delete it and rotate its secret.
 */
export const webhookEndpoint = (deps: Deps) => {
  const { db, webhooks } = deps;
  const find = (c: Context<DashboardEnv>) =>
    findOrganizationEndpoint(db, c.var.organization.organizationId, c.req.param('id') ?? '');

  const app = new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const endpoint = await find(c);
      const deliveries = await readDeliveries(deps, c, endpoint);
      const pageContext = { ...c.var.pageContext, backLink: { href: listOf(c), text: 'Webhooks' } };
      return c.html(
        dashboardPage(
          pageContext,
          endpoint.url,
          endpointView({ ...pageContext, path: pathOf(c) }, endpoint, deliveries),
        ),
      );
    })
    .get('/edit', async (c) => {
      const endpoint = await find(c);
      if (!isManaged(endpoint)) return await rejectAction(c);
      return c.html(editPage(c, endpoint));
    })
    .post('/edit', async (c) => {
      const endpoint = await find(c);
      if (!isManaged(endpoint)) return await rejectAction(c);
      const enteredValues = readEndpointInput(await readForm(c));
      const change = validateEndpointInput(enteredValues);
      if (typeof change === 'string') return c.html(editPage(c, enteredValues, change), 400);
      const problem = await resultOrFormError(async () => {
        await checkUrl(webhooks.hosts, change.url);
        await updateEndpoint(db, endpoint, change);
      }, LABELS);
      if (problem) return c.html(editPage(c, enteredValues, problem), 400);
      return await c.var.redirectWithFlash(pathOf(c), successFlash('Endpoint saved.'));
    })
    .post('/test', async (c) => {
      const endpoint = await find(c);
      const type = (await readForm(c))('event_type');
      if (!isEventType(type) || !stateOf(endpoint).isSending) return await rejectAction(c);
      const sent = await resultOrFormError(() => sendTestEvent(db, endpoint, type, deps));
      if (typeof sent === 'string')
        return await c.var.redirectWithFlash(pathOf(c), problemFlash(sent));
      const text = 'Test event queued. Reload the page to see the result.';
      return await c.var.redirectWithFlash(
        `${pathOf(c)}/deliveries/${sent.id}`,
        successFlash(text),
      );
    })
    .post('/enable', async (c) => {
      const endpoint = await find(c);
      if (!stateOf(endpoint).canEnable) return await rejectAction(c);
      await enableEndpoint(db, endpoint);
      return await c.var.redirectWithFlash(
        pathOf(c),
        successFlash('Endpoint turned on. New events will be sent to it.'),
      );
    })
    .post('/disable', async (c) => {
      const endpoint = await find(c);
      if (!stateOf(endpoint).isSending) return await rejectAction(c);
      await disableEndpoint(db, { endpoint_id: endpoint.id }, 'paused');
      return await c.var.redirectWithFlash(
        pathOf(c),
        successFlash('Endpoint turned off. No more events will be sent to it.'),
      );
    })
    .post('/rotate-secret', async (c) => {
      const endpoint = await find(c);
      if (!isManaged(endpoint)) return await rejectAction(c);
      const value = await rotateSecret(db, webhooks.secretEncrypter, endpoint, new Date());
      const text =
        'For the next 24 hours, webhook events are signed with both the old and the new secret.';
      const secret = { name: 'New signing secret', value };
      return await c.var.redirectWithFlash(pathOf(c), { ...successFlash(text), secret });
    })
    .post('/delete', async (c) => {
      await deleteEndpoint(db, await find(c));
      return await c.var.redirectWithFlash(listOf(c), successFlash('Endpoint deleted.'));
    });

  for (const [path, confirmationOf] of Object.entries(CONFIRMATIONS)) {
    app.get(path, async (c) => {
      const endpoint = await find(c);
      const { title, text, buttonLabel } = confirmationOf(endpoint);
      const pageContext = {
        ...c.var.pageContext,
        backLink: { href: pathOf(c), text: endpoint.url },
      };
      return c.html(
        dashboardPage(
          pageContext,
          title,
          confirmation({ text, buttonLabel, cancelHref: pathOf(c) }),
        ),
      );
    });
  }
  return app;
};

const listOf = (c: Context<DashboardEnv>) =>
  `/dashboard/${c.var.organization.organizationId}/webhooks`;
const pathOf = (c: Context<DashboardEnv>) => `${listOf(c)}/${c.req.param('id')}`;

const successFlash = (text: string): FlashMessage => ({ kind: 'success', text });
const problemFlash = (text: string): FlashMessage => ({ kind: 'problem', text });

/**
 * Redirects with a message that the action is not possible in the current state of the endpoint,
 * for example because the page was outdated when its button was pressed.
 */
const rejectAction = (c: Context<DashboardEnv>) =>
  c.var.redirectWithFlash(
    pathOf(c),
    problemFlash('This action is not available for the endpoint in its current status.'),
  );

const isEventType = (text: string): text is EventType => EVENT_TYPES.includes(text as EventType);

function editPage(c: Context<DashboardEnv>, enteredValues: EndpointInput, problem?: string) {
  const pageContext = { ...c.var.pageContext, backLink: { href: pathOf(c), text: 'Endpoint' } };
  const flash = problem ? problemFlash(problem) : pageContext.flash;
  return dashboardPage(
    pageContext,
    'Edit endpoint',
    endpointForm(enteredValues, 'Save', `${pathOf(c)}/edit`),
    flash,
  );
}
