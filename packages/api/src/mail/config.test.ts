import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../config.ts';

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
};
const SMTP = { SMTP_URL: 'smtps://user:pass@mail.example:465', MAIL_FROM: 'gifts@give.example' };

describe('the mail configuration', () => {
  for (const [description, variables, smtpUrl, mailbox] of [
    ['to the mailbox page by itself', {}, undefined, true],
    ['to the mail server that is named', SMTP, SMTP.SMTP_URL, false],
    ['nowhere beside Stripe keys', STRIPE, undefined, false],
    [
      'nowhere in production',
      { NODE_ENV: 'production', SANDBOX_WEBHOOK_SECRET: 's'.repeat(32) },
      undefined,
      false,
    ],
  ] as const) {
    test(description, () => {
      const { mail } = readConfig(variables);
      assert.deepEqual([mail.smtpUrl, mail.mailbox], [smtpUrl, mailbox]);
    });
  }

  for (const [variable, variables] of [
    ['MAIL_FROM', { SMTP_URL: SMTP.SMTP_URL }],
    ['MAIL_FROM', { ...SMTP, MAIL_FROM: 'nobody' }],
    ['SMTP_URL', { ...SMTP, SMTP_URL: 'http://mail.example' }],
  ] as const) {
    test(`is rejected with the name of the variable: ${variable}`, () => {
      assert.throws(() => readConfig(variables), new RegExp(`^Error: ${variable} `));
    });
  }
});
