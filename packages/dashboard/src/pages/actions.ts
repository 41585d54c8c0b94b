import { ConnectError, notFound, type Scope } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { processorProblem } from './processor-problem.ts';
import type { DashboardContext, DashboardEnv, Link } from './env.ts';
import { requirePermission } from './require-permission.ts';
import { requireSecondFactor } from './require-second-factor.ts';
import { renderPage } from './render-page.ts';

/** The record on which actions are carried out, and its page. */
interface ActionTarget<Row> {
  /** @throws {ConnectError} `not_found` */
  load: (c: DashboardContext) => Promise<Row>;
  /** The page that has the buttons. An error message and “Go back” lead to it. */
  page: (row: Row, c: DashboardContext) => Link;
  /**
   * Where a button or its confirmation page leads, and the message there, if the record does not
   * exist any more. The default is the page for unknown addresses.
   */
  missing?: { path: (c: DashboardContext) => string; problem: string };
}

/** Describes what happens when somebody presses a button. */
export interface Action<Row> {
  permission?: Scope | 'admin';
  /** True if the organization can require two-step sign-in for the action. */
  secondFactor?: true;
  /** The page that asks for confirmation first. Without it the button acts immediately. */
  confirmation?: (row: Row, c: DashboardContext) => Confirmation | Promise<Confirmation>;
  /**
   * @returns false if the record has been removed since it was loaded
   * @throws {ConnectError} `conflict` and `unavailable` errors are shown to the person
   */
  run: (row: Row, c: DashboardContext) => Promise<unknown>;
  success: string | ((row: Row) => string);
  /** Name of the secret that `run` returns, which is shown once. */
  secretName?: string;
  /** Path of the page after success. The default is the page that has the button. */
  redirect?: (row: Row, c: DashboardContext, result: unknown) => string;
}

interface Confirmation {
  title: string;
  /** The consequences of the action, in full sentences. */
  text: Html | string;
  buttonLabel: string;
}

/**
 * Creates the routes of actions on a record. The name of an action is the last segment of its path:
 * GET asks for confirmation, and POST carries the action out.
 */
export function actionRoutes<Row>(
  target: ActionTarget<Row>,
  actions: Readonly<Record<string, Action<Row>>>,
) {
  const routes = new Hono<DashboardEnv>();
  for (const [name, action] of Object.entries(actions)) {
    const path = `/${name}`;
    if (action.permission) routes.use(path, requirePermission(action.permission));
    if (action.secondFactor) routes.use(path, requireSecondFactor);
    if (action.confirmation) routes.get(path, (c) => renderConfirmation(c, target, action));
    routes.post(path, (c) => runAction(c, target, action));
  }
  return routes;
}

/** Renders the page of which only the button carries the action out. */
async function renderConfirmation<Row>(
  c: DashboardContext,
  target: ActionTarget<Row>,
  action: Action<Row>,
) {
  try {
    const row = await target.load(c);
    const backLink = target.page(row, c);
    const { title, text, buttonLabel } = await action.confirmation!(row, c);
    const content = html`<form method="post" class="panel">
      <div class="text">${text}</div>
      <p class="buttons">
        <button class="danger last">${buttonLabel}</button>
        <a class="button secondary" href="${backLink.href}">Go back</a>
      </p>
    </form>`;
    return await renderPage(c, { title, content, backLink });
  } catch (error) {
    return await redirectWithProblem(c, error, target.missing?.path(c), target);
  }
}

/** Carries out an action and redirects with a message about the result. */
async function runAction<Row>(
  c: DashboardContext,
  target: ActionTarget<Row>,
  { run, success, secretName, redirect }: Action<Row>,
): Promise<Response> {
  let errorPath = target.missing?.path(c);
  try {
    const row = await target.load(c);
    errorPath = target.page(row, c).href;
    const result = await run(row, c);
    if (result === false && target.missing) throw notFound('record', c.req.param('id') ?? '');
    return await c.var.redirectWithFlash(redirect?.(row, c, result) ?? errorPath, {
      kind: 'success',
      text: typeof success === 'string' ? success : success(row),
      ...(secretName && { secret: { name: secretName, value: String(result) } }),
    });
  } catch (error) {
    return await redirectWithProblem(c, error, errorPath, target);
  }
}

/** Redirects to `path` with the message of the error. Throws errors without a message for people. */
async function redirectWithProblem<Row>(
  c: DashboardContext,
  error: unknown,
  path: string | undefined,
  { missing }: ActionTarget<Row>,
): Promise<Response> {
  const text = messageFor(error, missing?.problem);
  if (text === undefined || path === undefined) throw error;
  return await c.var.redirectWithFlash(path, { kind: 'problem', text });
}

/**
 * Returns the message of an error that the person can act on: the record has changed or does not
 * exist any more, or Stripe is unavailable.
 */
function messageFor(error: unknown, missingText: string | undefined): string | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  if (error.type === 'not_found') return missingText;
  if (error.type === 'unavailable') return processorProblem(error);
  return error.type === 'conflict' ? error.message : undefined;
}
