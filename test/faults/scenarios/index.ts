import type { Scenario } from '../scenario.ts';
import { apiKilledBeforeResponse } from './api-killed-before-response.ts';
import { apiKilledBeforeSave } from './api-killed-before-save.ts';
import { eventsPermuted } from './events-permuted.ts';
import { eventsRepeated } from './events-repeated.ts';
import { postgresKilled } from './postgres-killed.ts';
import { processorTimesOut } from './processor-times-out.ts';
import { sessionExpires } from './session-expires.ts';
import { stackKilled } from './stack-killed.ts';
import { tooManyRequests } from './too-many-requests.ts';
import { workerKilled } from './worker-killed.ts';
import { wrongClock } from './wrong-clock.ts';

export const SCENARIOS: readonly Scenario[] = [
  apiKilledBeforeResponse,
  apiKilledBeforeSave,
  postgresKilled,
  stackKilled,
  workerKilled,
  wrongClock,
  eventsRepeated,
  eventsPermuted,
  tooManyRequests,
  processorTimesOut,
  sessionExpires,
];
