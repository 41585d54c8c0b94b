import type { ProcessorConfig } from '../../config.ts';
import { accounts } from './accounts.ts';
import { browserKeys } from './browser-keys.ts';
import type { FindOwnKeys, OnKeysRejected } from './own-keys.ts';
import { createClient } from './client.ts';
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
  const client = createClient(config, findOwnKeys, onKeysRejected);
  return {
    hasPlatform: config.platform !== undefined,
    scriptUrl: config.scriptUrl,
    livemode: config.livemode,
    usesSandbox: config.address !== undefined,
    ...browserKeys(client),
    ...keySetup(client),
    ...intents(client),
    ...idleIntents(client),
    ...subscriptions(client),
    ...subscriptionChanges(client),
    ...payments(client),
    ...paymentState(client),
    ...refunds(client),
    ...payouts(client),
    ...accounts(client),
    ...domains(client),
    ...donorData(client),
    ...lists(client),
    ...health(client),
    ...events(client),
  };
}
