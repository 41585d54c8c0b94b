import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DISPUTE_STATUSES, REFUND_STATUSES } from '@connect-embed/contract';
import { donationStatus } from '@connect-embed/api/resources/donations/donation-status';
import { DONATION_STATUSES } from './donation-status.ts';

describe('the status filters of donations', () => {
  for (const refund_status of REFUND_STATUSES)
    for (const dispute_status of DISPUTE_STATUSES)
      test(`find a donation only by its badge: refund ${refund_status}, dispute ${dispute_status}`, () => {
        const donation = { refund_status, dispute_status };
        const found = Object.entries(DONATION_STATUSES).filter(([, { query }]) =>
          Object.entries(query).every(
            ([name, value]) => donation[name as keyof typeof donation] === value,
          ),
        );
        assert.deepEqual(
          found.map(([status]) => status),
          [donationStatus(donation)],
        );
      });
});
