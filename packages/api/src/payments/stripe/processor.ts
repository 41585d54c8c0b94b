import type { ProcessorConfig } from '../../config.ts';
import { accounts } from './accounts.ts';
import { createClient } from './client.ts';
import { domains } from './domains.ts';
import { events } from './events.ts';
import { payments } from './payments.ts';
import { health } from './health.ts';
import { idleIntents } from './idle-intents.ts';
import { intents } from './intents.ts';
import { lists } from './lists.ts';
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
 * Each file of this folder defines the methods for one kind of Stripe object.
 */
export function createProcessor(config: ProcessorConfig) {
  const { publishableKey, scriptUrl, livemode } = config;
  const client = createClient(config);
  return {
    publishableKey,
    scriptUrl,
    livemode,
    ...intents(client, config),
    ...idleIntents(client),
    ...subscriptions(client, config),
    ...subscriptionChanges(client),
    ...payments(client),
    ...refunds(client),
    ...payouts(client),
    ...accounts(client),
    ...domains(client),
    ...lists(client),
    ...health(client),
    ...events(client, config),
  };
}
