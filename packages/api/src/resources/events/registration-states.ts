import { ConnectError, type Registration } from '@connect-embed/contract';

export type RegistrationStatus = Registration['status'];

/**
 * All allowed transitions between the statuses of a registration. The reasons are in
 * docs/decisions/0028-events-and-registrations.md
 */
export const TRANSITIONS = {
  confirm: { from: ['pending', 'waitlisted'], to: 'confirmed', participle: 'confirmed' },
  check_in: { from: ['confirmed'], to: 'checked_in', participle: 'checked in' },
  undo_check_in: { from: ['checked_in'], to: 'confirmed', participle: 'returned to confirmed' },
  cancel: { from: ['pending', 'waitlisted', 'confirmed'], to: 'cancelled', participle: 'canceled' },
  refund: {
    from: ['pending', 'confirmed', 'checked_in', 'cancelled', 'waitlisted'],
    to: 'refunded',
    participle: 'refunded',
  },
} as const satisfies Record<
  string,
  { from: readonly RegistrationStatus[]; to: RegistrationStatus; participle: string }
>;

export type Transition = keyof typeof TRANSITIONS;

export const STATUS_LABELS: Record<RegistrationStatus, string> = {
  pending: 'pending',
  confirmed: 'confirmed',
  cancelled: 'canceled',
  checked_in: 'checked in',
  waitlisted: 'on the waitlist',
  refunded: 'refunded',
};

/** Statuses in which a registration occupies its seats. */
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
 * Returns the status after a transition.
 *
 * @returns undefined if the registration has the status already, so that a repeated request changes
 *   nothing
 * @throws {ConnectError} `conflict` with a message for people, if the transition is not allowed
 */
export function nextStatus(
  transition: Transition,
  status: RegistrationStatus,
): RegistrationStatus | undefined {
  const { to, participle } = TRANSITIONS[transition];
  if (status === to) return undefined;
  if (canTransition(transition, status)) return to;
  const message = `The registration is ${STATUS_LABELS[status]} and cannot be ${participle}.`;
  throw new ConnectError('conflict', message);
}
