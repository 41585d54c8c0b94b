import { ConnectError, type Registration } from '@connect-embed/contract';

export type RegistrationStatus = Registration['status'];

/**
 * Every way from one state of a registration to another; there is no other.
 *
 * docs/decisions/0029-registration-states.md has the reasons.
 */
export const TRANSITIONS = {
  confirm: { from: ['pending', 'waitlisted'], to: 'confirmed', done: 'confirmed' },
  check_in: { from: ['confirmed'], to: 'checked_in', done: 'checked in' },
  undo_check_in: { from: ['checked_in'], to: 'confirmed', done: 'taken back from the door' },
  cancel: { from: ['pending', 'waitlisted', 'confirmed'], to: 'cancelled', done: 'cancelled' },
  refund: {
    from: ['pending', 'confirmed', 'checked_in', 'cancelled', 'waitlisted'],
    to: 'refunded',
    done: 'refunded',
  },
} as const satisfies Record<
  string,
  { from: readonly RegistrationStatus[]; to: RegistrationStatus; done: string }
>;

export type Transition = keyof typeof TRANSITIONS;

export const STATUS_LABELS: Record<RegistrationStatus, string> = {
  pending: 'pending',
  confirmed: 'confirmed',
  cancelled: 'cancelled',
  checked_in: 'checked in',
  waitlisted: 'on the waitlist',
  refunded: 'refunded',
};

/** In these a place is held for the registration; in the others it is free for somebody else. */
export const SEAT_HOLDING_STATUSES = [
  'pending',
  'confirmed',
  'checked_in',
] as const satisfies RegistrationStatus[];

export const holdsSeat = (status: RegistrationStatus): boolean =>
  (SEAT_HOLDING_STATUSES as readonly RegistrationStatus[]).includes(status);

export const canTransition = (transition: Transition, status: RegistrationStatus): boolean =>
  (TRANSITIONS[transition].from as readonly RegistrationStatus[]).includes(status);

/**
 * The state that a transition leads to.
 *
 * @returns undefined when it is there already: pressing a button twice changes nothing
 * @throws {ConnectError} `conflict`, in words, when no way leads there
 */
export function next(
  transition: Transition,
  status: RegistrationStatus,
): RegistrationStatus | undefined {
  const { to, done } = TRANSITIONS[transition];
  if (status === to) return undefined;
  if (canTransition(transition, status)) return to;
  const message = `The registration is ${STATUS_LABELS[status]}; it cannot be ${done}.`;
  throw new ConnectError('conflict', message);
}
