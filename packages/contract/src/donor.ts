import { z } from 'zod';
import { Text, Timestamp } from './field.ts';

/** A person or household that has given (spec: donor). */
export const Donor = z.object({
  id: z.string(),
  object: z.literal('donor'),
  email: Text,
  first_name: Text,
  last_name: Text,
  phone: Text,
  city: Text,
  state: Text,
  postal_code: Text,
  country: Text,
  source: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Donor = z.infer<typeof Donor>;
