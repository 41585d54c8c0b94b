/** Content of an email before layout. All texts are plain text. */
export interface EmailContent {
  subject: string;
  /** The sentence that lists of emails show after the subject. */
  preview?: string;
  paragraphs: string[];
  /** Details as pairs of name and value. */
  rows: [string, string][];
  /** Button with its URL and a note. */
  action?: { text: string; url: string; note: string };
  footer: string[];
}

/** Renders the plain-text version of an email. */
export function renderText(
  { paragraphs, rows, action, footer }: EmailContent,
  organization: string,
): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  return [
    ...paragraphs,
    rows.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`).join('\n'),
    action && `${action.text}:\n${action.url}\n${action.note}`,
    organization,
    footer.length ? `-- \n${footer.join('\n')}` : undefined,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}
