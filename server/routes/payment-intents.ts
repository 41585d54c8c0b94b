import {
  ATTACK_UNTIL_HEADER,
  CreatePaymentIntent,
  settleGift,
  Trap,
  type PaymentIntent,
} from '@connect-embed/contract';
import { jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { z } from 'zod';
import type { Deps } from '../app.ts';
import type { OpenForm } from '../form-sessions.ts';
import { isSessionGone } from '../upstream.ts';
import { attemptOf, ofVisitor, type GiftEnv } from './of-visitor.ts';

/** The page cannot say which session it gives under: its token does. */
const PageGift = CreatePaymentIntent.omit({ embed_session_id: true }).extend(Trap.shape);
/** What goes on to the API: the campaign of a settled gift is its session's own. */
const ApiGift = PageGift.omit({ website: true }).strip();
type PageGift = z.output<typeof PageGift>;

/**
 * `POST /payment-intents`: the page asks, we add the credential.
 *
 * Fund and allowed amounts come from the form's session, not from the page.
 */
export const paymentIntents = ({ sessions, upstream, visitors, guard, address }: Deps) => {
  const createPaymentIntent = (open: OpenForm, gift: PageGift, idempotencyKey: string) => {
    const settled = ApiGift.parse(settleGift(open.form.terms, gift, open.form.currency));
    const body = { ...settled, embed_session_id: open.session.id };
    const onHeaders = (headers: Headers) =>
      guard.heed(open.organization, headers.get(ATTACK_UNTIL_HEADER));
    return upstream.call(
      (api) => api.createPaymentIntent(body, { idempotencyKey, onHeaders }),
      open.organization,
    );
  };

  /** The session may have been revoked upstream before its time: a new one is tried once. */
  const give = async (name: string, gift: PageGift, key: string): Promise<PaymentIntent> => {
    const open = await sessions.get(name);
    try {
      return await createPaymentIntent(open, gift, key);
    } catch (error) {
      if (!isSessionGone(error)) throw error;
      return await createPaymentIntent(await sessions.replace(name, open), gift, key);
    }
  };

  return new Hono<GiftEnv>().post('/', ofVisitor(visitors), jsonBody(PageGift), async (c) => {
    const { form } = c.var.visitor;
    const { website, ...gift } = c.req.valid('json');
    const { form: shown, organization } = await sessions.get(form);
    settleGift(shown.terms, gift, shown.currency); // A refused gift counts as none.
    const proof = c.req.header('proof');
    await guard.admit(attemptOf(c.var, organization, address(c)), {
      ...(proof !== undefined && { proof }),
      trapped: Boolean(website),
    });
    const intent = await give(form, gift, c.var.idempotencyKey);
    const lookUp = { intent: intent.payment_intent_id, form, origin: c.var.origin };
    return c.json({ ...intent, status_token: await visitors.signLookUp(lookUp) }, 201);
  });
};
