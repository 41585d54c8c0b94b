import { DEFAULT_FORM_PAGE, type Form, type FormPage } from '@connect-embed/contract';

type Fields = Partial<Omit<Form, 'page'> & { page: Partial<FormPage> }>;

/** Returns a live form of the dashboard, as the API sends it. */
export const formOf = (slug: string, { page, ...fields }: Fields = {}): Form => ({
  id: `form_${slug}`,
  object: 'form',
  slug,
  name: 'Name for members',
  status: 'live',
  version: 1,
  published_at: '2026-02-01T12:00:00.000Z',
  created_at: '2026-02-01T12:00:00.000Z',
  page: { ...DEFAULT_FORM_PAGE, ...page },
  ...fields,
});
