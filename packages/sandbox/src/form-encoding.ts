import { StripeError, invalidParamError } from './stripe-error.ts';

/**
 * A form with Stripe's nesting: each value is a text, or a form with nested fields by name (list
 * items by index).
 */
export type Form = { [name: string]: string | Form };

/**
 * Maximum nesting of a form. Stripe's own forms have four levels at most; a deeper form is a
 * mistake or an attack.
 */
const MAX_DEPTH = 8;

/**
 * Parses `a[b][c]=1&list[]=x&list[0]=y` into nested fields.
 *
 * Objects have no prototype, so `__proto__[x]=1` is an ordinary field.
 *
 * @throws {StripeError} 400 if a name has both a text and nested fields
 */
export function parseForm(text: string): Form {
  const form = Object.create(null) as Form;
  for (const [name, value] of new URLSearchParams(text)) setField(form, name, value);
  return form;
}

function setField(form: Form, name: string, value: string) {
  const path = name.replaceAll(']', '').split('[');
  if (path.length > MAX_DEPTH) throw invalidParamError(name.slice(0, 100), 'Invalid nesting.');
  const last = path.pop() ?? '';
  let group = form;
  for (const part of path) {
    const inner = (group[nextKey(group, part)] ??= Object.create(null) as Form);
    if (typeof inner === 'string') throw invalidParamError(part, `Invalid object: ${part}`);
    group = inner;
  }
  group[nextKey(group, last)] = value;
}

/** `list[]` stands for the next index of the list. */
const nextKey = (group: Form, part: string) =>
  part === '' ? String(Object.keys(group).length) : part;

/**
 * Parses the form of a request.
 *
 * @throws {StripeError} 400 if the body has another content type, such as JSON
 */
export async function readForm(request: Request): Promise<Form> {
  const text = await request.text();
  if (text === '') return parseForm('');
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) return parseForm(text);
  throw new StripeError(400, {
    type: 'invalid_request_error',
    message:
      'Invalid request (check that your POST content type is application/x-www-form-urlencoded).',
  });
}
