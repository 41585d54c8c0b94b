import { Hono } from 'hono';
import { changeAccount, findAccount, createAccountLink } from '../accounts.ts';
import { CAPABILITIES } from '../capabilities.ts';
import type { Env } from '../env.ts';
import { secretKeyOnly } from '../credential.ts';
import { type AccountInput, newAccount } from '../objects/account.ts';
import { accountIdOf } from '../own-accounts.ts';
import { email, fields, flag, ignored, metadata, oneOf, required, text } from '../params.ts';
import { action, listPage, mergeMetadata } from '../resource-routes.ts';
import { invalidParamError } from '../stripe-error.ts';

const FIELD_PARAMS = {
  business_profile: fields({
    mcc: text,
    name: text,
    product_description: text,
    support_email: text,
    support_phone: text,
    support_url: text,
    url: text,
  }),
  business_type: oneOf('company', 'government_entity', 'individual', 'non_profit'),
  email,
  metadata,
  settings: ignored,
  capabilities: fields(
    Object.fromEntries(
      [...Object.values(CAPABILITIES), 'transfers'].map((name) => [
        name,
        fields({ requested: flag }),
      ]),
    ),
  ),
};

const CREATE_PARAMS = {
  ...FIELD_PARAMS,
  type: oneOf('custom', 'express', 'standard'),
  controller: ignored,
  country: text,
  default_currency: text,
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
        const { capabilities, controller, settings: _, ...input } = params;
        if (controller && input.type) {
          throw invalidParamError(
            'type',
            'You may not provide the `type` and `controller` parameters.',
          );
        }
        return ledger.add(newAccount(ledger.now(), input as AccountInput), { capabilities });
      }),
    )
    .post(
      '/:id',
      action(FIELD_PARAMS, ({ ledger, id, params }) => {
        const {
          business_profile,
          metadata: metadataChange,
          email: address,
          business_type,
        } = params;
        const account = ledger.find('account', id);
        Object.assign(account.business_profile ?? {}, business_profile);
        return changeAccount(ledger, {
          ...account,
          ...(address !== undefined && { email: address }),
          ...(business_type && { business_type }),
          metadata: mergeMetadata(account.metadata ?? {}, metadataChange),
        });
      }),
    );

/** `/v1/account`: the account of the request. */
export const ownAccount = () =>
  new Hono<Env>()
    .use(secretKeyOnly)
    .get('/', (c) => c.json(findAccount(c.var.ledger, accountIdOf(c.var.ledger.account))));

const LINK_PARAMS = {
  account: text,
  type: oneOf('account_onboarding', 'account_update'),
  return_url: text,
  refresh_url: text,
  collect: ignored,
  collection_options: ignored,
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
