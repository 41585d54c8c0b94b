import { defineForm } from '../form/define-form.ts';
import { setScriptUrl } from '../shared/server-address.ts';

setScriptUrl(import.meta.url);
defineForm();
