import type { EmbedSession } from './embed-session.ts';
import type { FormContext } from './form-context.ts';

/** The state that the parts of `donation-flow.ts` share. */
export interface FlowContext extends FormContext {
  readonly session: EmbedSession;
}
