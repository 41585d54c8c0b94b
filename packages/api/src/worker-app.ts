import { createErrorHandler, createNotFoundHandler } from './error-handler.ts';
import { securityHeaders } from './security-headers.ts';
import type { WorkerDeps } from './env.ts';
import { createInstrumentedApp } from './instrumented-app.ts';
import { health } from './routes/health.ts';
import { metrics } from './routes/metrics.ts';

/** Creates the HTTP app of a worker process: health checks and metrics only. */
export function createWorkerApp(deps: WorkerDeps) {
  const app = createInstrumentedApp(deps)
    .use(securityHeaders)
    .route('/', health(deps))
    .route('/metrics', metrics(deps));
  return app.onError(createErrorHandler(deps)).notFound(createNotFoundHandler(app, deps));
}
