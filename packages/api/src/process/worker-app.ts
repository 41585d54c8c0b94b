import { createErrorHandler, createNotFoundHandler } from '../http/error-handler.ts';
import { securityHeaders } from '../http/security-headers.ts';
import type { WorkerDeps } from '../payments/deps.ts';
import { createInstrumentedApp } from '../http/instrumented-app.ts';
import { health } from '../http/health.ts';
import { metrics } from '../http/metrics-route.ts';

/** Creates the HTTP app of a worker process: health checks and metrics only. */
export function createWorkerApp(deps: WorkerDeps) {
  const app = createInstrumentedApp(deps)
    .use(securityHeaders)
    .route('/', health(deps))
    .route('/metrics', metrics(deps));
  return app.onError(createErrorHandler(deps)).notFound(createNotFoundHandler(app, deps));
}
