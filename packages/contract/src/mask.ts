import { z } from 'zod';

/**
 * What a component session may keep back of people: docs/decisions/0059-least-data.md
 *
 * `names` leaves initials; what the others name is null in every answer.
 */
export const MASKS = ['names', 'emails', 'phones', 'addresses'] as const;
export type Mask = (typeof MASKS)[number];

export const Masks = z.array(z.enum(MASKS)).max(MASKS.length);
