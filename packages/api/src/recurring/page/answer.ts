import { formatMoney } from '@connect-embed/contract';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Deps, Env } from '../../env.ts';
import { inOneWait } from '../../processor/deadline.ts';
import { readAmounts } from '../amounts.ts';
import { act } from './acts.ts';
import { findSessionOwner } from './donate-again.ts';
import { readHistory, type OpenPlan } from './find-plan.ts';
import { planView, type PlanView } from './plan-view.ts';

/** What every page below finds: the plan that the address opens. */
export interface PlanEnv extends Env {
  Variables: Env['Variables'] & { plan: OpenPlan; path: string };
}

/** Does what was asked and shows what came of it; a failure changes nothing and says so. */
export async function change(
  deps: Deps,
  c: Context<PlanEnv>,
  what: () => Promise<unknown>,
): Promise<Response> {
  const { plan, path } = c.var;
  if (plan.row.status === 'canceled') return c.redirect(path, 303);
  try {
    await inOneWait(() => act(deps, plan, what));
  } catch (err) {
    deps.log.warn({ err, plan_id: plan.row.id }, 'a plan could not be changed');
    return await again(deps, c, 503, plan.speech.say('try_again'));
  }
  return c.redirect(`${path}?done`, 303);
}

export const again = async (
  deps: Deps,
  c: Context<PlanEnv>,
  status: ContentfulStatusCode,
  text: string,
): Promise<Response> => c.html(await draw(deps, c, problem(text)), status);

export const draw = async (deps: Deps, c: Context<PlanEnv>, notice: PlanView['notice']) => {
  const { plan, path } = c.var;
  const history = await readHistory(deps.db, plan.row.id);
  const ended = plan.row.status === 'canceled';
  const mayGiveAgain = ended && (await findSessionOwner(deps.db, plan)) !== undefined;
  return planView({ base: deps.baseUrl, path, plan, history, notice, mayGiveAgain });
};

export const good = ({ speech }: OpenPlan) => ({ kind: 'good', text: speech.say('done') }) as const;
export const problem = (text: string) => ({ kind: 'problem', text }) as const;

export function badAmount({ row, speech }: OpenPlan): string {
  const amounts = readAmounts(row.amounts);
  const { min, max } =
    'choices' in amounts
      ? { min: Math.min(...amounts.choices), max: Math.max(...amounts.choices) }
      : amounts;
  const money = (cents: number) => formatMoney(cents, row.currency, speech.locale, { trim: true });
  return speech.say('bad_amount', { min: money(min), max: money(max) });
}
