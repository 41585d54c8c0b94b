import { newId } from '../ids.ts';
import { integer, required, text } from '../params.ts';
import { action, type ActionContext, listAndRetrieve } from '../resource-routes.ts';
import { cancelSubscription } from '../subscription-lifecycle.ts';
import { invalidParamError } from '../stripe-error.ts';
import type { TestClock } from '../stripe-types.ts';

const THIRTY_DAYS_SECONDS = 30 * 24 * 60 * 60;

const CREATE_PARAMS = { frozen_time: integer, name: text };
const ADVANCE_PARAMS = { frozen_time: integer };
const DELETE_PARAMS = {};

/** `/v1/test_helpers/test_clocks`: Stripe's test clocks, which give a customer its own time. */
export const testClocks = () =>
  listAndRetrieve('test_helpers.test_clock')
    .post('/', action(CREATE_PARAMS, createTestClock))
    .post('/:id/advance', action(ADVANCE_PARAMS, startAdvancing))
    .delete('/:id', action(DELETE_PARAMS, deleteTestClock));

const createTestClock = ({ ledger, params }: ActionContext<typeof CREATE_PARAMS>) =>
  ledger.add<TestClock>({
    id: newId('clock'),
    object: 'test_helpers.test_clock',
    created: ledger.now(),
    deletes_after: ledger.now() + THIRTY_DAYS_SECONDS,
    frozen_time: required(params.frozen_time, 'frozen_time'),
    livemode: false,
    name: params.name ?? null,
    status: 'ready',
    status_details: {},
  });

function startAdvancing({ ledger, id, params }: ActionContext<typeof ADVANCE_PARAMS>) {
  const clock = ledger.find('test_helpers.test_clock', id);
  const target = required(params.frozen_time, 'frozen_time');
  if (target <= clock.frozen_time) {
    throw invalidParamError('frozen_time', 'A test clock can only be advanced to a later time.');
  }
  // The job sets the status `ready` and emits the event.
  ledger.schedule(ledger.now(), 'advance_test_clock', id);
  return ledger.save<TestClock>({
    ...clock,
    status: 'advancing',
    status_details: { advancing: { target_frozen_time: target } },
  });
}

function deleteTestClock({ ledger, id }: ActionContext<typeof DELETE_PARAMS>) {
  const clock = ledger.find('test_helpers.test_clock', id);
  const fields = { test_clock: id };
  for (const subscription of ledger.listAll('subscription', { fields })) {
    if (subscription.status !== 'canceled') cancelSubscription(ledger, subscription);
  }
  ledger.remove(clock);
  return { id, object: 'test_helpers.test_clock', deleted: true };
}
