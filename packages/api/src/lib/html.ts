import type { HtmlEscapedString } from 'hono/utils/html';

/** HTML from the `html` tag of Hono, which escapes all interpolated values. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
