import { donationFlow as english } from '@connect-embed/locales/en.json';
import type { Language } from '../shared/language.ts';
import type { FormMessages } from '../shared/message-types.ts';
import { FormSessionLoader } from './form-session-loader.ts';
import type { FormContext } from './form-context.ts';

/** What the parts of `donation-flow.ts` share. */
export interface FlowContext extends FormContext {
  readonly session: FormSessionLoader;
  /** The language of the form, now with the messages of the flow. */
  readonly language: Language<FormMessages>;
}

/** Adds the messages of the flow and the visitor's session, which is opened later, to a form. */
export const toFlowContext = (context: FormContext): FlowContext =>
  Object.assign(context, {
    language: context.language.addEnglish(english),
    session: new FormSessionLoader(context, (error) => context.fail(error)),
  });
