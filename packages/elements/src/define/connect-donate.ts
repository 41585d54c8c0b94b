import { ConnectDonate } from '../connect-donate.ts';
import { defineForm } from '../form/define-form.ts';

defineForm();

export { ConnectDonate };
