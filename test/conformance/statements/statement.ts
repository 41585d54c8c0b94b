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
const inDashboard = (file: string) => inFile(`packages/dashboard/src/${file}.test.ts`);

/** Test files by topic. */
export const testsIn = {
  system: inFile('test/conformance/specification.test.ts'),
  badInput: inFile('test/conformance/bad-input.test.ts'),
  contractErrors: inFile('packages/contract/src/error.test.ts'),
  app: inApi('app'),
  scopes: inApi('auth/scope-matrix'),
  parameters: inApi('resources/list-parameters'),
  lists: inApi('resources/lists/page'),
  rateLimit: inApi('auth/rate-limit'),
  apiProcess: inFile('packages/cli/src/service/main.test.ts'),
  concurrentProcesses: inFile('packages/api/src/process/concurrent-processes.test.ts'),
  failure: inApi('failure'),
  properties: inApi('openapi/properties'),
  events: inApi('resources/events/event-routes'),
  paymentIntents: inApi('resources/payment-intents'),
  embedSessions: inApi('resources/embed-sessions'),
  componentSessions: inApi('resources/component-sessions'),
  processorEvents: inApi('payments/stripe-events/route'),
  payoutEvents: inApi('payments/stripe-events/payout-events'),
  webhooks: inApi('resources/webhooks/webhooks'),
  deliveries: inApi('resources/webhooks/deliveries'),
  donationEvents: inApi('webhooks/donation-events'),
  deliveryWorker: inApi('webhooks/delivery-worker'),
  signing: inApi('webhooks/sign'),
  publicHost: inApi('webhooks/public-host'),
  hostedPage: inFile('packages/donor-pages/src/hosted-form/hosted.test.ts'),
  authorize: inApi('oauth/authorize'),
  tokens: inApi('oauth/token'),
  clients: inApi('oauth/clients'),
  credentialLifecycle: inApi('oauth/end'),
  behindProxy: inApi('oauth/behind-proxy'),
  consent: inDashboard('consent/consent'),
  dashboard: inDashboard('routes'),
  registrations: inDashboard('events/registrations'),
  malformedRequests: inApi('http/malformed-requests'),
};
