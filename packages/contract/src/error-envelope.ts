import { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';
import type { ErrorType } from './error-status.ts';

/** The error body of every route (spec: Errors; further members: docs/decisions/0002-specification-gaps.md). */
export const ErrorEnvelope = z.object({
  error: z
    .object({
      type: z.string().describe('Stable class of the error. Each type has one HTTP status.'),
      code: z.string().describe('Stable code, more specific than the type where one exists.'),
      message: z.string().describe('For developers. It can change at any time.'),
      param: z
        .string()
        .optional()
        .describe('The invalid parameter, body field or header; nested names have dots.'),
      queue_position: z
        .int()
        .min(1)
        .optional()
        .describe('The place in line of a donation that waits for the card processor; 1 is first.'),
      request_id: z.string().optional().describe('The `Request-Id` of the response.'),
      doc_url: z.string().optional().describe('Address of the documentation of the code.'),
    })
    .describe('What went wrong.'),
});
/** The types and codes of this version; the schema leaves them open, as later versions have more. */
export type ErrorEnvelope = {
  error: z.infer<typeof ErrorEnvelope>['error'] & { type: ErrorType; code: ErrorCode };
};
