import { EmbedSession } from './embed-session.ts';
import type { FormContext } from './form-context.ts';
import { createLoadErrorView } from './load-error-view.ts';

/** The state that the parts of `donation-flow.ts` share. */
export interface FlowContext extends FormContext {
  readonly session: EmbedSession;
}

/** Adds the visitor's session, which is opened later, to the context of a form. */
export const toFlowContext = (context: FormContext): FlowContext =>
  Object.assign(context, {
    session: new EmbedSession(context, (error) => context.fail(error, createLoadErrorView)),
  });
