import { mountResources, paymentIntentRoutes } from '@connect-embed/api/app';
import { readConfig } from '@connect-embed/api/config';
import { handleErrors } from '@connect-embed/api/http/error-handler';
import { createInstrumentedApp } from '@connect-embed/api/http/instrumented-app';
import { securityHeaders } from '@connect-embed/api/http/security-headers';
import { processorEvents } from '@connect-embed/api/payments/stripe-events/route';
import type { Deps } from '@connect-embed/api/deps';

/** The secret of the processes, which encrypts what is stored. */
export const API_SECRET = 'a secret of thirty-two characters';

/** A secret of the simulated Stripe account, which signs its events. */
export const WEBHOOK_SECRET = 'whsec_simulation';

/** Configuration of a process whose database and processor are given to it. */
export const DONATION_CONFIG = readConfig({
  API_BASE_URL: 'http://simulated.localhost',
  DATABASE_URL: 'postgres://simulated.localhost/simulated',
  API_SECRET,
  SANDBOX_URL: 'http://sandbox.localhost',
  SANDBOX_WEBHOOK_SECRET: WEBHOOK_SECRET,
});

/**
 * The routes of a donation: payment intents and events of the processor. A process with all routes would take five times
 * as long to start.
 */
export const createDonationApp = (deps: Deps) =>
  handleErrors(
    createInstrumentedApp(deps)
      .use(securityHeaders)
      .route('/processor-events', processorEvents(deps))
      .route('/api/v1', mountResources(deps, { '/payment-intents': paymentIntentRoutes(deps) })),
    deps,
  );
