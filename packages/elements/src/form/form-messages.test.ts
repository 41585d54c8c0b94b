import { expect } from '@open-wc/testing';
import type { ErrorType } from '@connect-embed/contract';
import { ConnectError, type ConnectErrorArguments } from '@connect-embed/contract/error';
import { donationFlow, form } from '@connect-embed/locales/en.json';
import { failureMessage } from './form-messages.ts';

const messages = { ...form, ...donationFlow };
const failure = (type: ErrorType, param?: string) =>
  new ConnectError(...([type, '', { param }] as ConnectErrorArguments));

describe('a donation that could not be started', () => {
  const types: ErrorType[] = [
    'invalid_request',
    'unauthorized',
    'forbidden',
    'not_found',
    'conflict',
    'proof_required',
    'rate_limited',
    'server_error',
    'unavailable',
  ];
  for (const type of types) {
    it(`says that the donor was not charged and what to do: ${type}`, () => {
      const { text } = failureMessage(failure(type), messages);
      expect(text).to.match(/you were not charged/i);
      expect(text).to.match(/try again/i);
    });
  }

  it('marks the field that the server names', () => {
    const { field, text } = failureMessage(failure('invalid_request', 'donor_email'), messages);
    expect(field).to.equal('email');
    expect(text).to.equal(messages.badEmail);
  });

  it('is shown as canceled when the donor cancels a CAPTCHA', () => {
    const left = new DOMException('left', 'AbortError');
    expect(failureMessage(left, messages).text).to.equal(messages.canceled);
  });
});
