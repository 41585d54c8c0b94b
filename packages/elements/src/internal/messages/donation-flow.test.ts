import { expect } from '@open-wc/testing';
import type { ErrorType } from '@connect-embed/contract';
import { form } from '@connect-embed/locales/en.json';
import { failureMessage, textsOf } from './donation-flow.ts';

const texts = textsOf({ texts: form });
const failure = (type: ErrorType, param?: string) => Object.assign(new Error(), { type, param });

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
      const { text } = failureMessage(failure(type), texts);
      expect(text).to.match(/you were not charged/i);
      expect(text).to.match(/try again/i);
    });
  }

  it('marks the field that the server names', () => {
    const { field, text } = failureMessage(failure('invalid_request', 'donor_email'), texts);
    expect(field).to.equal('email');
    expect(text).to.equal(texts.badEmail);
  });

  it('is shown as canceled when the donor cancels a CAPTCHA', () => {
    const left = new DOMException('left', 'AbortError');
    expect(failureMessage(left, texts).text).to.equal(texts.canceled);
  });
});
