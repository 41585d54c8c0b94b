import { ConnectError } from '@connect-embed/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../../db/schema.ts';

export type EventState = 'draft' | 'published' | 'ended' | 'cancelled';

/** An event without an end time ends a day after its start. */
export const DEFAULT_DURATION_MS = 24 * 60 * 60_000;

type Dates = Pick<
  Selectable<Database['event']>,
  'published' | 'cancelled_at' | 'starts_at' | 'ends_at'
>;

/** Derives the state of an event from its dates: docs/decisions/0028-events-and-registrations.md */
export function eventState(event: Dates): EventState {
  if (event.cancelled_at) return 'cancelled';
  if (!event.published) return 'draft';
  const end = event.ends_at ?? new Date(event.starts_at.getTime() + DEFAULT_DURATION_MS);
  return end < new Date() ? 'ended' : 'published';
}

/** For each action on an event, the states that allow it and the participle for error messages. */
const EVENT_ACTIONS = {
  edit: { in: ['draft', 'published', 'ended'], participle: 'changed' },
  publish: { in: ['draft'], participle: 'published' },
  unpublish: { in: ['published'], participle: 'returned to draft' },
  cancel: { in: ['published'], participle: 'canceled' },
  delete: { in: ['draft'], participle: 'deleted' },
  register: { in: ['published', 'ended'], participle: 'registered for' },
  admit: { in: ['published', 'ended'], participle: 'checked in to' },
} as const satisfies Record<string, { in: readonly EventState[]; participle: string }>;

export type EventAction = keyof typeof EVENT_ACTIONS;

const STATE_LABELS: Record<EventState, string> = {
  draft: 'is a draft',
  published: 'is published',
  ended: 'has ended',
  cancelled: 'is canceled',
};

export const isActionAllowed = (action: EventAction, state: EventState): boolean =>
  (EVENT_ACTIONS[action].in as readonly EventState[]).includes(state);

/** @throws {ConnectError} `conflict` if an event in this state does not allow the action */
export function requireState(action: EventAction, event: Dates): void {
  const state = eventState(event);
  if (isActionAllowed(action, state)) return;
  const message = `The event ${STATE_LABELS[state]} and cannot be ${EVENT_ACTIONS[action].participle}.`;
  throw new ConnectError('conflict', message);
}
