/** A test by its file and full title; `*` matches any text, parent titles included. */
export interface TestReference {
  file: string;
  title: string;
}

/** A statement of the specification in our words, and the tests that verify it. */
export interface Statement {
  text: string;
  tests: readonly TestReference[];
}

export interface Section {
  /** The heading in the specification. */
  title: string;
  statements: readonly Statement[];
}

const inFile =
  (file: string) =>
  (...titles: string[]): TestReference[] =>
    titles.map((title) => ({ file, title }));
const inApi = (file: string) => inFile(`packages/api/src/${file}.test.ts`);

/** Test files by topic. */
export const testsIn = {
  system: inFile('test/conformance/specification.test.ts'),
  badInput: inFile('test/conformance/bad-input.test.ts'),
  contractErrors: inFile('packages/contract/src/error.test.ts'),
  app: inApi('app'),
  scopes: inApi('scope-matrix'),
  parameters: inApi('list-parameters'),
  lists: inApi('db/page'),
  rateLimit: inApi('auth/rate-limit'),
  apiProcess: inApi('main'),
  failure: inApi('failure'),
  properties: inApi('openapi/properties'),
  events: inApi('routes/events'),
  paymentIntents: inApi('routes/payment-intents'),
  embedSessions: inApi('routes/embed-sessions'),
  componentSessions: inApi('routes/component-sessions'),
  processorEvents: inApi('routes/processor-events'),
  payoutEvents: inApi('processor-events/payout-events'),
  webhooks: inApi('routes/webhooks'),
  deliveries: inApi('routes/webhook-deliveries'),
  donationEvents: inApi('webhooks/donation-events'),
  deliveryWorker: inApi('webhooks/delivery-worker'),
  signing: inApi('webhooks/sign'),
  publicHost: inApi('webhooks/public-host'),
  hostedPage: inApi('hosted/hosted'),
  authorize: inApi('oauth/authorize'),
  tokens: inApi('oauth/token'),
  clients: inApi('oauth/clients'),
  credentialLifecycle: inApi('oauth/end'),
  behindProxy: inApi('oauth/behind-proxy'),
  consent: inApi('pages/consent'),
  dashboard: inApi('pages/dashboard/dashboard'),
  registrations: inApi('pages/dashboard/events/registrations'),
  malformedRequests: inApi('malformed-requests'),
};
