import { ConnectError, type Scope } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import type { Html } from '../../../lib/html.ts';
import { confirmation } from '../confirmation.ts';
import type { DashboardEnv, Link } from '../env.ts';
import { requirePermission } from '../require-permission.ts';
import { requireSecondFactor } from '../require-second-factor.ts';
import { renderPage } from './render-page.ts';

/** The record on which actions are carried out, and its page. */
export interface ActionTarget<Row> {
  /** @throws {ConnectError} `not_found` */
  load: (c: Context<DashboardEnv>) => Promise<Row>;
  /** The page that has the buttons. An error message and “Go back” lead to it. */
  page: (row: Row, c: Context<DashboardEnv>) => Link;
}

/** Describes what happens when somebody presses a button. */
export interface Action<Row> {
  permission?: Scope | 'admin';
  /** True if the organization can require two-step sign-in for the action. */
  secondFactor?: true;
  /** The page that asks for confirmation first. Without it the button acts immediately. */
  confirmation?: (row: Row, c: Context<DashboardEnv>) => Confirmation | Promise<Confirmation>;
  /** @throws {ConnectError} `conflict` and `unavailable` errors are shown to the person */
  run: (row: Row, c: Context<DashboardEnv>) => Promise<unknown>;
  success: string | ((row: Row) => string);
  /** Name of the secret that `run` returns, which is shown once. */
  secretName?: string;
  /** Path of the page after success. The default is the page that has the button. */
  redirect?: (row: Row, c: Context<DashboardEnv>) => string;
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

async function renderConfirmation<Row>(
  c: Context<DashboardEnv>,
  target: ActionTarget<Row>,
  action: Action<Row>,
) {
  const row = await target.load(c);
  const backLink = target.page(row, c);
  const { title, text, buttonLabel } = await action.confirmation!(row, c);
  const content = confirmation({ text, buttonLabel, cancelHref: backLink.href });
  return renderPage(c, { title, content, backLink });
}

/** Carries out an action and redirects with a message about the result. */
async function runAction<Row>(
  c: Context<DashboardEnv>,
  target: ActionTarget<Row>,
  { run, success, secretName, redirect }: Action<Row>,
): Promise<Response> {
  const row = await target.load(c);
  const page = target.page(row, c).href;
  try {
    const result = await run(row, c);
    return await c.var.redirectWithFlash(redirect?.(row, c) ?? page, {
      kind: 'success',
      text: typeof success === 'string' ? success : success(row),
      ...(secretName && { secret: { name: secretName, value: String(result) } }),
    });
  } catch (error) {
    if (!(error instanceof ConnectError) || !SHOWN_ERRORS.has(error.type)) throw error;
    return await c.var.redirectWithFlash(page, { kind: 'problem', text: error.message });
  }
}

/** Types of errors that the person can act on: the record has changed, or Stripe is unavailable. */
const SHOWN_ERRORS = new Set<string>(['conflict', 'unavailable']);
