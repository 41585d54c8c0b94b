import { expect } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { intent, jsonResponse, errorResponse } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';

describe('a donation whose first request is still locked', () => {
  it('shows a countdown until the retry that the server requests', async () => {
    server.on('/payment-intents', (_, times) =>
      times === 1 ? errorResponse('conflict', 'still running', 2) : jsonResponse(intent(), 201),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText(/Please wait.*Trying again in 2 s/);
    await donor.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(1);
  });
});
