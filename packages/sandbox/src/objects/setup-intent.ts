import { newId, randomText } from '../ids.ts';
import type { SetupIntent } from '../stripe-types.ts';

export type SetupInput = Partial<
  Pick<
    SetupIntent,
    | 'allowed_payment_method_types'
    | 'automatic_payment_methods'
    | 'customer'
    | 'metadata'
    | 'payment_method_types'
  >
>;

/** Creates a setup intent in Stripe's format. */
export function newSetupIntent(created: number, input: SetupInput): SetupIntent {
  const id = newId('seti');
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(25)}`,
    created,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: 'off_session',
    ...input,
  };
}
