import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConnectError, REGISTRATION_STATUSES } from '@connect-embed/contract';
import { nextStatus, TRANSITIONS, type Transition } from './registration-states.ts';

/** The result of each transition by status. `same` changes nothing, `no` is a conflict. */
const EXPECTED: Record<Transition, string> = {
  //             pending   confirmed  cancelled  checked_in  waitlisted  refunded
  confirm: '      confirmed same       no         no          confirmed   no',
  check_in: '     no        checked_in no         same        no          no',
  undo_check_in: 'no        same       no         confirmed   no          no',
  cancel: '       cancelled cancelled  same       no          cancelled   no',
  refund: '       refunded  refunded   refunded   refunded    refunded    same',
};

describe('a registration', () => {
  for (const transition of Object.keys(TRANSITIONS) as Transition[]) {
    const row = EXPECTED[transition].trim().split(/\s+/);
    for (const [at, status] of REGISTRATION_STATUSES.entries()) {
      test(`that is ${status}, on ${transition}: ${row[at]}`, () => {
        if (row[at] === 'no') {
          assert.throws(
            () => nextStatus(transition, status),
            (error) => error instanceof ConnectError && error.type === 'conflict',
          );
        } else {
          const expected = row[at] === 'same' ? undefined : row[at];
          assert.equal(nextStatus(transition, status), expected);
        }
      });
    }
  }

  test('is rejected with a message that has no identifiers', () => {
    assert.throws(() => nextStatus('check_in', 'waitlisted'), {
      message: 'The registration is on the waitlist and cannot be checked in.',
    });
  });
});
