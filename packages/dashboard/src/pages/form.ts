import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { toSlug } from '@connect-embed/api/resources/catalogue/slug';
import type { Link } from './env.ts';
import { FormFields, type FormState } from './fields.ts';
import type { FieldsOf, FieldType } from './field-types.ts';

/**
 * The name of a form field. An amount has the name of its property without the suffix `_cents`,
 * because people enter it in major units.
 */
const fieldName = (property: string) => property.replace(/_cents$/, '');

const entriesOf = <Input>(fields: FieldsOf<Input>) =>
  Object.entries(fields) as [keyof Input & string, FieldType<unknown>][];

/** Returns the form with saved or initial values. */
export function savedForm<Input>(fields: FieldsOf<Input>, values: Partial<Input>): FormFields {
  const form = new FormFields();
  for (const [property, { toText }] of entriesOf(fields)) {
    if (values[property] === undefined) continue;
    const texts = toText(values[property], values as Record<string, unknown>);
    form.setValues(fieldName(property), [texts].flat());
  }
  return form;
}

/** Reads all fields of a submitted form. Errors are collected in `form`. */
export const readInput = <Input>(fields: FieldsOf<Input>, form: FormFields): Input =>
  Object.fromEntries(
    entriesOf(fields).map(([property, { read }]) => [property, read(form, fieldName(property))]),
  ) as Input;

/**
 * Returns the errors of fields as links to them, in the order of the fields. The field with an error has
 * its name as id, or the name of its row.
 */
export const problemLinks = <Input>(fields: FieldsOf<Input>, { problems }: FormState): Link[] =>
  entriesOf(fields).flatMap(([property, { options }]) =>
    [...problems].flatMap(([name, problem]) => {
      const [field, row] = name.split('.');
      if (field !== fieldName(property)) return [];
      const label = row ? `${options.label}, row ${Number(row) + 1}` : options.label;
      return [{ href: `#${name}`, text: `${label}: ${problem}` }];
    }),
  );

export interface Section {
  id: string;
  heading: string;
  fields: FieldsOf<Record<string, unknown>>;
}

/** Divides fields at their headings. The first field must have one. */
export function sectionsOf<Input>(fields: FieldsOf<Input>): Section[] {
  const sections: Section[] = [];
  let section: Section | undefined;
  for (const [property, field] of entriesOf(fields)) {
    const { heading } = field.options;
    if (heading) {
      section = { id: `section-${toSlug(heading)}`, heading, fields: {} };
      sections.push(section);
    }
    if (!section) throw new Error(`The first field, ${property}, has no heading.`);
    section.fields[property] = field;
  }
  return sections;
}

/** Renders all fields, with their headings and with neighboring half fields on one line. */
export function fieldsView<Input>(fields: FieldsOf<Input>, draft: FormState): Html {
  const lines: Html[] = [];
  let halves: Html[] = [];
  const endLine = () => {
    if (halves.length) lines.push(html`<div class="two-columns">${halves}</div>`);
    halves = [];
  };
  for (const [property, { options, render }] of entriesOf(fields)) {
    if (options.heading || !options.half) endLine();
    if (options.heading) lines.push(html`<h2>${options.heading}</h2>`);
    const view = render(draft, { ...options, name: fieldName(property) });
    (options.half ? halves : lines).push(view);
  }
  endLine();
  return html`${lines}`;
}
