import type {
  EventListQuery,
  FundraisingEvent,
  Registration,
  RegistrationListQuery,
} from '@connect-embed/contract';
import { path, type Call, type RequestOptions } from '../call.ts';
import type { Filters } from '../filters.ts';
import { ResourceList } from '../resource-list.ts';

export const eventMethods = (call: Call) => ({
  /** Lists events with their ticket types, including drafts, newest first. Scope: `events:read`. */
  list: (filters?: Filters<EventListQuery>, options?: RequestOptions) =>
    new ResourceList<FundraisingEvent>(call, '/events', filters, options),

  /** Reads an event. @throws {ConnectError} `not_found` */
  get: (id: string, options?: RequestOptions) =>
    call<FundraisingEvent>('GET', path`/events/${id}`, undefined, options),

  /** Lists the registrations of an event, newest first. Scope: `registrations:read`. */
  registrations: (id: string, filters?: Filters<RegistrationListQuery>, options?: RequestOptions) =>
    new ResourceList<Registration>(call, path`/events/${id}/registrations`, filters, options),
});
