import { apiKeys, oauth, scopes } from './authentication.ts';
import { details, operations, parameters } from './endpoints.ts';
import { webhookEvents } from './webhook-events.ts';
import { fields, resources } from './resources.ts';
import { errors, limits, versioning } from './rules.ts';
import { service } from './service.ts';
import type { Section } from './statement.ts';

/** All statements of the specification, in its order. */
export const SECTIONS: readonly Section[] = [
  service,
  resources,
  fields,
  parameters,
  operations,
  details,
  apiKeys,
  oauth,
  scopes,
  webhookEvents,
  errors,
  limits,
  versioning,
];
