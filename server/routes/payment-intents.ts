import {
  CreatePaymentIntent,
  invalidRequest,
  settleGift,
  type PaymentIntent,
} from '@connect-embed/contract';
import { jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { z } from 'zod';
import type { Deps, Env } from '../app.ts';
import type { OpenForm } from '../form-sessions.ts';
import { isSessionGone } from '../upstream.ts';
import type { Visitor } from '../visitor-tokens.ts';

/** The page cannot say which session it gives under: its token does. */
const PageGift = CreatePaymentIntent.omit({ embed_session_id: true });
/** What goes on to the API: the campaign of a settled gift is its session's own. */
const ApiGift = PageGift.strip();
type PageGift = z.output<typeof PageGift>;

type GiftEnv = Env & { Variables: { visitor: Visitor; idempotencyKey: string } };

/**
 * `POST /payment-intents`: the page asks, we add the credential.
 *
 * Fund and allowed amounts come from the form's session, not from the page.
 */
export const paymentIntents = ({ sessions, upstream, visitors, limits, address }: Deps) => {
  const createPaymentIntent = (open: OpenForm, gift: PageGift, idempotencyKey: string) => {
    const settled = ApiGift.parse(settleGift(open.form.terms, gift));
    const body = { ...settled, embed_session_id: open.session.id };
    return upstream.call(
      (api) => api.createPaymentIntent(body, { idempotencyKey }),
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

  return new Hono<GiftEnv>()
    .post('/', async (c, next) => {
      c.set('visitor', await visitors.verify(c.req.header('authorization'), c.var.origin));
      c.set('idempotencyKey', readIdempotencyKey(c.req.header('idempotency-key')));
      await next();
    })
    .post('/', jsonBody(PageGift), async (c) => {
      const { id: visitor, form } = c.var.visitor;
      const gift = c.req.valid('json');
      settleGift((await sessions.get(form)).form.terms, gift); // A refused gift counts as none.
      await limits.take({ visitor, form, address: address(c) });
      return c.json(await give(form, gift, c.var.idempotencyKey), 201);
    });
};

/**
 * The page's own key goes upstream as it is: bound to the token, a repetition after a renewed
 * session would be another gift. docs/decisions/0009-idempotency.md
 */
function readIdempotencyKey(key: string | undefined): string {
  if (key && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidRequest('Idempotency-Key', 'is required, 1 to 255 printable characters.');
}
