import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { MessageKey } from '@connect-embed/locales';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../deps.ts';
import { withDeadline } from '@connect-embed/api/payments/stripe/deadline';
import { applyChange } from './actions.ts';
import { findSessionOwner } from './donate-again.ts';
import {
  loadHistory,
  type ManagedSubscription,
  type SubscriptionViewProps,
} from './find-subscription.ts';
import { subscriptionView } from './subscription-view.ts';

/**
 * Variables of the routes under `/plans/{token}`: the subscription that the link gives access to.
 */
export interface SubscriptionEnv extends Env {
  Variables: Env['Variables'] & { subscription: ManagedSubscription; path: string };
}

/** What says that a change was made, by its name in the query of the page: `?done=pause`. */
const DONE = {
  amount: 'done_amount',
  card: 'done_card',
  pause: 'done_pause',
  resume: 'done_resume',
  cancel: 'done_cancel',
} as const satisfies Record<string, MessageKey<'managePage'>>;
type Change = keyof typeof DONE;

/**
 * Runs a change and redirects to the page with a success message. If the change fails, the page is
 * shown with an error message.
 */
export async function runChange(
  deps: Deps,
  c: Context<SubscriptionEnv>,
  change: Change,
  operation: () => Promise<unknown>,
): Promise<Response> {
  const { subscription, path } = c.var;
  if (subscription.row.status === 'canceled') return c.redirect(path, 303);
  try {
    await withDeadline(() => applyChange(deps, subscription, operation));
  } catch (err) {
    deps.log.warn({ err, plan_id: subscription.row.id }, 'a recurring plan could not be changed');
    return await renderProblem(deps, c, 503, subscription.translator.translate('try_again'));
  }
  return c.redirect(`${path}?done=${change}`, 303);
}

export const renderProblem = async (
  deps: Deps,
  c: Context<SubscriptionEnv>,
  status: ContentfulStatusCode,
  text: string,
  rejectedAmount?: string,
): Promise<Response> =>
  c.html(await renderPage(deps, c, { message: { kind: 'problem', text }, rejectedAmount }), status);

export const renderPage = async (
  deps: Deps,
  c: Context<SubscriptionEnv>,
  { message, rejectedAmount }: Pick<SubscriptionViewProps, 'message' | 'rejectedAmount'> = {},
) => {
  const { subscription, path } = c.var;
  const history = await loadHistory(deps.db, subscription.row);
  const isCanceled = subscription.row.status === 'canceled';
  const canDonateAgain =
    isCanceled && (await findSessionOwner(deps.db, subscription)) !== undefined;
  return subscriptionView({
    base: deps.baseUrl,
    path,
    subscription,
    history,
    message,
    rejectedAmount,
    canDonateAgain,
  });
};

/** Returns the message after a change; undefined for an unknown one. */
export const successMessage = (
  { translator }: ManagedSubscription,
  change: string | undefined,
): SubscriptionViewProps['message'] =>
  change !== undefined && Object.hasOwn(DONE, change)
    ? { kind: 'success', text: translator.translate(DONE[change as Change]) }
    : undefined;
