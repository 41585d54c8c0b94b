import { expect } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { intent, jsonResponse, errorResponse } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';

describe('a donation whose first request is still locked', () => {
  it('shows a countdown until the retry that the server requests', async () => {
    server.on('/payment-intents', (_, times) =>
      times === 1
        ? errorResponse('conflict', 'still running', 2, { code: 'idempotency_key_in_use' })
        : jsonResponse(intent(), 201),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText(/Please wait.*Trying again in 2 s/);
    await donor.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(1);
  });
});

describe('a donation that waits in line for the card processor', () => {
  it('shows the position, which decreases, and continues when it is its turn', async () => {
    const busy = (seconds: number, queue_position: number) =>
      errorResponse('rate_limited', 'busy', seconds, { code: 'processor_busy', queue_position });
    const responses = [busy(3, 12), busy(1, 1)];
    server.on('/payment-intents', () => responses.shift() ?? jsonResponse(intent(), 201));
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText(/not charged.*number 12 in line/);
    await donor.waitForText('number 4 in line');
    await donor.waitForText('number 1 in line');
    await donor.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(1);
  });
});
