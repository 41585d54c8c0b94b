import { notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { sql } from 'kysely';
import type { Deps, Env } from '../env.ts';
import { isId } from '../id.ts';
import { PAGE_HEADERS } from '../pages/headers.ts';
import { page } from '../pages/layout.ts';
import { compose } from './letters.ts';
import { readTold } from './subject-of-mail.ts';
import type { Letter } from './transport.ts';

const PATH = '/dev/mailbox';
const SHOWN = 50;

/**
 * `/dev/mailbox`: what donors and owners would get, where nobody is written to. Whoever opens it sees the links
 * of every donor, so it is there in development only: `config.mail.mailbox`.
 */
export const mailbox = (deps: Deps) => {
  const open = async (id: string): Promise<Letter> => {
    const told = isId(id) ? await readTold(deps.db, id) : undefined;
    const letter = told && (await compose(told, { from: deps.mail.from, links: deps.links }));
    if (!letter) throw notFound('mail', id);
    return letter;
  };
  return new Hono<Env>()
    .get('/', async (c) => c.html(listView(await readList(deps)), 200, PAGE_HEADERS))
    .get('/:id', async (c) => {
      const id = c.req.param('id');
      return c.html(letterView(id, await open(id)), 200, PAGE_HEADERS);
    })
    .get('/:id/html', async (c) =>
      c.html((await open(c.req.param('id'))).html, 200, LETTER_HEADERS),
    );
};

const readList = ({ db }: Deps) =>
  db
    .selectFrom('mail')
    .leftJoin('donation', 'donation.id', 'mail.donation_id')
    .leftJoin('recurring_plan', 'recurring_plan.id', 'mail.plan_id')
    .leftJoin('person', (join) => join.on(sql<boolean>`person.id = mail.details ->> 'person_id'`))
    .select(['mail.id', 'mail.kind', 'mail.status', 'mail.created_at', 'mail.last_error'])
    .select(({ fn }) =>
      fn.coalesce('person.email', 'donation.donor_email', 'recurring_plan.donor_email').as('email'),
    )
    .orderBy('mail.created_at', 'desc')
    .limit(SHOWN)
    .execute();

type Row = Awaited<ReturnType<typeof readList>>[number];

const listView = (rows: Row[]) =>
  page(
    'Mailbox',
    html`<main class="shell">
      <div>
        <h1>Mailbox</h1>
        <p class="quiet">
          SMTP_URL is not set, so nobody is written to. This is what would leave; newest first.
        </p>
        ${rows.length ? table(rows) : html`<p class="notice">Nothing yet.</p>`}
      </div>
    </main>`,
  );

const table = (rows: Row[]) =>
  html`<div class="scroll" role="region" aria-label="Mail" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Mail</th>
          <th scope="col">To</th>
          <th scope="col">When</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ id, kind, email, created_at, status, last_error }) =>
            html`<tr>
              <th scope="row"><a href="${PATH}/${id}">${kind}</a></th>
              <td>${email ?? 'nobody'}</td>
              <td>${created_at.toISOString()}</td>
              <td>${status} ${last_error}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

const letterView = (id: string, letter: Letter) =>
  page(
    letter.subject,
    html`<main class="shell">
      <div>
        <p><a href="${PATH}">Mailbox</a></p>
        <h1>${letter.subject}</h1>
        <p class="quiet">
          From ${letter.from.name} &lt;${letter.from.address}&gt; to ${letter.to.name}
          &lt;${letter.to.address}&gt;, in ${letter.language}
        </p>
        <p><a href="${PATH}/${id}/html">As it looks</a></p>
        <h2>As text</h2>
        <pre id="text" class="letter">${letter.text}</pre>
      </div>
    </main>`,
  );

/** Mail is laid out with `style` attributes; nothing else is let in. */
const LETTER_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
