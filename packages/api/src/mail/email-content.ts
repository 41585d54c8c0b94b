/** A mail before it is laid out. Everything in it is plain text. */
export interface EmailContent {
  subject: string;
  paragraphs: string[];
  /** What is to be looked up later: name and value. */
  rows: [string, string][];
  /** What can be done about it. */
  action?: { text: string; url: string; note: string };
  foot: string[];
}

/** As plain text, which every program shows. */
export function renderText(
  { paragraphs, rows, action, foot }: EmailContent,
  organization: string,
): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  return [
    ...paragraphs,
    rows.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`).join('\n'),
    action && `${action.text}:\n${action.url}\n${action.note}`,
    organization,
    foot.length ? `-- \n${foot.join('\n')}` : undefined,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}
