import { Hono } from 'hono';
import { findAccount, createAccountLink } from '../accounts.ts';
import type { Env } from '../env.ts';
import { secretKeyOnly } from '../credential.ts';
import { newAccount } from '../objects/account.ts';
import { accountIdOf } from '../own-accounts.ts';
import { email, fields, ignored, metadata, oneOf, required, text } from '../params.ts';
import { action, listPage } from '../resource-routes.ts';
import { invalidParamError } from '../stripe-error.ts';

const CREATE_PARAMS = {
  business_profile: fields({ name: text, url: text }),
  business_type: oneOf('non_profit'),
  capabilities: ignored,
  controller: ignored,
  email,
  metadata,
  type: oneOf('standard'),
};

/** `/v1/accounts` of the simulated Stripe API: connected accounts. */
export const accounts = () =>
  new Hono<Env>()
    .use(secretKeyOnly)
    .get('/', (c) => listPage(c, 'account'))
    .get('/:id', (c) => c.json(findAccount(c.var.ledger, c.req.param('id'))))
    .post(
      '/',
      action(CREATE_PARAMS, ({ ledger, params }) => {
        const { capabilities: _, controller: __, ...input } = params;
        return ledger.add(newAccount(ledger.now(), input));
      }),
    );

/** `/v1/account`: the account of the request. */
export const ownAccount = () =>
  new Hono<Env>()
    .use(secretKeyOnly)
    .get('/', (c) => c.json(findAccount(c.var.ledger, accountIdOf(c.var.ledger.account))));

const LINK_PARAMS = {
  account: text,
  type: oneOf('account_onboarding'),
  return_url: text,
  refresh_url: text,
};

/** `/v1/account_links`: links to the onboarding page of an account. */
export const accountLinks = () =>
  new Hono<Env>().use(secretKeyOnly).post(
    '/',
    action(LINK_PARAMS, ({ ledger, params }) => {
      required(params.type, 'type');
      const url = (name: 'return_url' | 'refresh_url') => {
        const value = required(params[name], name);
        if (URL.canParse(value) && /^https?:/.test(value)) return value;
        throw invalidParamError(name, 'Not a valid URL', 'url_invalid');
      };
      return createAccountLink(ledger, required(params.account, 'account'), {
        return_url: url('return_url'),
        refresh_url: url('refresh_url'),
      });
    }),
  );
