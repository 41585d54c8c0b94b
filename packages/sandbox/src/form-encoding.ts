import { StripeError, invalidParam } from './stripe-error.ts';

/** A form as Stripe nests it: text, or fields by name (lists by index). */
export type Form = { [name: string]: string | Form };

/** Stripe's own forms are four deep at most; deeper is a mistake or an attack. */
const MAX_DEPTH = 8;

/**
 * Reads `a[b][c]=1&list[]=x&list[0]=y` into nested fields.
 *
 * Objects have no prototype, so `__proto__[x]=1` is a field like any other.
 *
 * @throws {StripeError} 400 when a name is both a text and a group
 */
export function parseForm(text: string): Form {
  const form = Object.create(null) as Form;
  for (const [name, value] of new URLSearchParams(text)) setField(form, name, value);
  return form;
}

function setField(form: Form, name: string, value: string) {
  const path = name.replaceAll(']', '').split('[');
  if (path.length > MAX_DEPTH) throw invalidParam(name.slice(0, 100), 'Invalid nesting.');
  const last = path.pop() ?? '';
  let group = form;
  for (const part of path) {
    const inner = (group[nextKey(group, part)] ??= Object.create(null) as Form);
    if (typeof inner === 'string') throw invalidParam(part, `Invalid object: ${part}`);
    group = inner;
  }
  group[nextKey(group, last)] = value;
}

/** `list[]` means: the next free place. */
const nextKey = (group: Form, part: string) =>
  part === '' ? String(Object.keys(group).length) : part;

/**
 * The form of a request.
 *
 * @throws {StripeError} 400 when the body is anything else, such as JSON
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
