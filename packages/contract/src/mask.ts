import { z } from 'zod';

/**
 * Masks of a component session: personal data that its responses leave out
 * (docs/decisions/0059-field-masking.md).
 *
 * `names` reduces names to initials; the other masks set their fields to null.
 */
export const MASKS = ['names', 'emails', 'phones', 'addresses'] as const;
export type Mask = (typeof MASKS)[number];

export const Masks = z.array(z.enum(MASKS)).max(MASKS.length);
