import type { HtmlEscapedString } from 'hono/utils/html';

/** HTML from Hono's `html` template tag, which escapes all interpolated values. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
