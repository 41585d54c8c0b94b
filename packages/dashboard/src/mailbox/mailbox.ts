import { notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { acrossOrganizations } from '@connect-embed/api/db/organization-scope';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../pages/deps.ts';
import { isId } from '@connect-embed/api/lib/id';
import { readSentMail } from '@connect-embed/api/mail/development-mailbox';
import type { Email } from '@connect-embed/api/db/column-types';
import { EMAIL_HEADERS } from '../pages/email-headers.ts';
import { exactTimeElement } from '../pages/dashboard-layout.ts';
import { badge, empty, facts, table, type Column } from '../pages/table.ts';
import { PAGE_HEADERS } from '@connect-embed/api/http/security-headers';
import { page } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';

const PATH = '/dev/mailbox';
const MAX_EMAILS = 50;

/**
 * `/dev/mailbox`: shows the emails sent without a mail server, as they were rendered at that time
 * (docs/decisions/0038-email.md). It contains the manage links of all donors and
 * needs no sign-in, so it is mounted only in development: `config.mail.mailbox`.
 */
export const mailbox = (deps: Deps) => {
  const loadEmail = async (id: string): Promise<Email> => {
    const email = isId(id) ? await readSentMail(deps.db, id) : undefined;
    if (!email) throw notFound('mail', id);
    return email;
  };
  return new Hono<Env>()
    .get('/', async (c) => c.html(listView(await readList(deps)), 200, PAGE_HEADERS))
    .get('/:id', async (c) => {
      const id = c.req.param('id');
      return c.html(emailView(id, await loadEmail(id)), 200, PAGE_HEADERS);
    })
    .get('/:id/html', async (c) =>
      c.html((await loadEmail(c.req.param('id'))).html, 200, EMAIL_HEADERS),
    );
};

const readList = ({ db }: Deps) =>
  acrossOrganizations(db)
    .selectFrom('mail')
    .innerJoin('organization', 'organization.id', 'mail.organization_id')
    .leftJoin('development_mail as sent', 'sent.mail_id', 'mail.id')
    .select(['mail.id', 'mail.kind', 'mail.status', 'mail.created_at', 'mail.last_error'])
    .select(['organization.time_zone', 'sent.email'])
    .orderBy('mail.created_at', 'desc')
    .limit(MAX_EMAILS)
    .execute();

type Row = Awaited<ReturnType<typeof readList>>[number];

const listView = (rows: Row[]) =>
  mailboxPage(
    'Mailbox',
    html`<p class="muted">
        SMTP_URL is not set, so emails are stored here instead of being sent. Newest first.
      </p>
      ${rows.length ? table('Emails', COLUMNS, rows) : empty('No emails yet. Make a donation to see its receipt here.')}`,
  );

const COLUMNS: readonly Column<Row>[] = [
  {
    head: 'Email',
    as: 'rowHeader',
    cell: ({ id, kind, email }) =>
      email ? html`<a href="${PATH}/${id}">${email.subject}</a>` : toSentenceCase(kind),
  },
  { head: 'To', cell: ({ email }) => email && email.to.address },
  { head: 'Created', cell: ({ created_at, time_zone }) => exactTimeElement(created_at, time_zone) },
  {
    head: 'Status',
    cell: ({ status, last_error }) =>
      html`${badge(toSentenceCase(status), TONES[status])} ${last_error ?? ''}`,
  },
];

const TONES = { pending: 'pending', sent: 'positive', failed: 'negative' } as const;

/** Converts an identifier to text: `plan_link` becomes `Plan link`. */
const toSentenceCase = (name: string) =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

const emailView = (id: string, { subject, from, to, language, text }: Email) =>
  mailboxPage(
    subject,
    html`${facts([
        ['From', `${from.name} <${from.address}>`],
        ['To', `${to.name} <${to.address}>`],
        ['Language', language],
      ])}
      <p><a href="${PATH}/${id}/html">HTML version</a></p>
      <section class="panel" aria-labelledby="as-text">
        <h2 id="as-text">Text version</h2>
        <pre id="text" class="email-text" lang="${language}" dir="auto">${text}</pre>
      </section>`,
    html`<a class="back small" href="${PATH}">Mailbox</a>`,
  );

/** Renders a page without the dashboard navigation, because nobody is signed in. */
const mailboxPage = (title: string, content: Html, back?: Html) =>
  page(
    title,
    html`<div class="shell single-column">
      <main>
        <div class="title">
          ${back ?? ''}
          <h1>${title}</h1>
        </div>
        ${content}
      </main>
    </div>`,
  );
