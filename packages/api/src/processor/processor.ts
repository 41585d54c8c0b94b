import type { ProcessorConfig } from '../config.ts';
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
 * The card processor: the official client of Stripe, and nothing else. Without Stripe keys it is
 * pointed at the sandbox; no line here knows: docs/decisions/0011-one-processor-client.md
 *
 * One file per concern; each takes the client and answers with what can be asked of it.
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
