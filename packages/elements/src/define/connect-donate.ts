import { ConnectDonate } from '../connect-donate.ts';
import { defineForm } from '../internal/define-form.ts';

defineForm();

export { ConnectDonate };
