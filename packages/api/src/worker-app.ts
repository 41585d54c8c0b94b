import { answerFailure, answerUnmatched } from './failure.ts';
import { guardAnswers } from './guard-answers.ts';
import type { WorkDeps } from './env.ts';
import { observed } from './observed.ts';
import { health } from './routes/health.ts';
import { metrics } from './routes/metrics.ts';

/** What a process shows that only works in the background: that it lives, and how it fares. */
export function createWorkerApp(deps: WorkDeps) {
  const app = observed(deps)
    .use(guardAnswers)
    .route('/', health(deps))
    .route('/metrics', metrics(deps));
  return app.onError(answerFailure(deps.log)).notFound(answerUnmatched(app));
}
