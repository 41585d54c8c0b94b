/** The code that shows a form on a website. */
export const snippet = (server: string, slug: string): string =>
  `<script type="module" src="${server}/connect.js"></script>\n<connect-donate form="${slug}"></connect-donate>`;

/** The code that shows a form in a frame, for site builders that accept no scripts. */
export const frameSnippet = (server: string, slug: string): string =>
  `<iframe src="${server}/embed/${slug}" title="Donate" allow="payment" width="100%" height="1400" style="display: block; border: 0"></iframe>`;
