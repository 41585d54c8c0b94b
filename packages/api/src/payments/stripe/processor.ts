import type { ProcessorConfig } from '../../config.ts';
import { accounts } from './accounts.ts';
import { browserKeys } from './browser-keys.ts';
import type { FindOwnKeys, OnKeysRejected } from './own-keys.ts';
import { createClient, type Client } from './client.ts';
import { donorData } from './donor-data.ts';
import { domains } from './domains.ts';
import { events } from './events.ts';
import { payments } from './payments.ts';
import { health } from './health.ts';
import { idleIntents } from './idle-intents.ts';
import { intents } from './intents.ts';
import { keySetup } from './key-setup.ts';
import { lists } from './lists.ts';
import { paymentState } from './payment-state.ts';
import { payouts } from './payouts.ts';
import { refunds } from './refunds.ts';
import { subscriptionChanges } from './subscription-changes.ts';
import { subscriptions } from './subscriptions.ts';

export type Processor = ReturnType<typeof createProcessor>;

/**
 * Creates the processor client, which makes all calls to Stripe through the official `stripe`
 * package. Without Stripe keys the configuration contains the address of the sandbox, our local
 * stand-in for Stripe. The same code calls both: docs/decisions/0011-stripe-sandbox.md
 *
 * Each call names its account. With an own key (`findOwnKeys`) it is made as that account, otherwise as
 * the platform for it: docs/decisions/0099-first-run-and-own-stripe-keys.md
 *
 * Each file of this folder defines the methods for one kind of Stripe object, as functions of the
 * client.
 */
export function createProcessor(
  config: ProcessorConfig,
  findOwnKeys?: FindOwnKeys,
  onKeysRejected?: OnKeysRejected,
) {
  const { scriptUrl, livemode } = config;
  const hasPlatform = config.platform !== undefined;
  const methods = bindClient(createClient(config, findOwnKeys, onKeysRejected), {
    ...browserKeys,
    ...keySetup,
    ...intents,
    ...idleIntents,
    ...subscriptions,
    ...subscriptionChanges,
    ...payments,
    ...paymentState,
    ...refunds,
    ...payouts,
    ...accounts,
    ...domains,
    ...donorData,
    ...lists,
    ...health,
    ...events,
  });
  const usesSandbox = config.address !== undefined;
  return { hasPlatform, scriptUrl, livemode, usesSandbox, ...methods };
}

/** The functions of `Functions` without their first parameter. */
type WithoutClient<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (
    client: Client,
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Result
    : never;
};

/** Returns functions that call the given ones with the client as the first argument. */
function bindClient<
  Functions extends Record<string, (client: Client, ...args: never[]) => unknown>,
>(client: Client, functions: Functions): WithoutClient<Functions> {
  const bound = Object.entries(functions).map(([name, operation]) => [
    name,
    (...args: never[]) => operation(client, ...args),
  ]);
  return Object.fromEntries(bound) as WithoutClient<Functions>;
}
