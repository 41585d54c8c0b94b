import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import {
  addNote,
  canDeleteNote,
  canEditNote,
  deleteNote,
  editNote,
  findNote,
  type DonorNote,
} from '@connect-embed/api/payments/donors/donor-notes';
import type { ActingMember, DonorRow } from '@connect-embed/api/payments/donors/find-donor';
import type { Html } from '@connect-embed/api/lib/html';
import { exactTimeElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { readFields, type FormState } from '../pages/fields.ts';
import { textArea } from '../pages/field-view.ts';
import { actionRoutes } from '../pages/actions.ts';
import { multilineText, required } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { actingMember, donorLink, loadDonor } from '../pages/donor-in-path.ts';

type RenderDonor = (c: DashboardContext, donor: DonorRow, draft: FormState) => Promise<Response>;

/**
 * Routes that add, edit and delete notes about a donor. Every member with `donors:read` can write notes;
 * authors edit and delete their own, and owners can delete all.
 *
 * @param renderDonor renders the page of the donor again, with the rejected note
 */
export function noteRoutes(deps: Deps, renderDonor: RenderDonor) {
  const edit = editPage(deps);
  return new Hono<DashboardEnv>()
    .post('/', async (c) => {
      const donor = await loadDonor(c, deps);
      const fields = await readFields(c);
      const text = fields.multilineText('text');
      const saved = await fields.submit(() => addNote(deps.db, actingMember(c), donor.id, text));
      if (!saved) return await renderDonor(c, donor, fields);
      return await c.var.redirectWithFlash(`${donorLink(donor, c).href}#notes`, {
        kind: 'success',
        text: 'Note added.',
      });
    })
    .get('/:note', edit.show)
    .post('/:note', edit.submit)
    .route('/:note', deletion(deps));
}

/** A note with its donor. */
interface NoteInPath {
  donor: DonorRow;
  note: Awaited<ReturnType<typeof findNote>>;
}

async function loadNote(c: DashboardContext, deps: Deps): Promise<NoteInPath> {
  const donor = await loadDonor(c, deps);
  const ref = { donorId: donor.id, id: c.req.param('note') ?? '' };
  return { donor, note: await findNote(deps.db, actingMember(c), ref) };
}

const editPage = (deps: Deps) =>
  formPage<NoteInPath, { text: string }>({
    load: (c) => loadNote(c, deps),
    title: () => 'Edit note',
    backLink: ({ donor }, c) => donorLink(donor, c),
    action: ({ donor, note }, c) => `${donorLink(donor, c).href}/notes/${note.id}`,
    fields: () => ({ text: required(multilineText({ label: 'Note' }), 'Enter a note.') }),
    values: ({ note }) => note,
    submitLabel: 'Save note',
    save: async ({ text }, { donor, note }, c) => {
      await editNote(deps.db, actingMember(c), { donorId: donor.id, id: note.id }, text);
      return { path: `${donorLink(donor, c).href}#notes`, success: 'Note saved.' };
    },
  });

const deletion = (deps: Deps) =>
  actionRoutes<NoteInPath>(
    {
      load: (c) => loadNote(c, deps),
      page: ({ donor }, c) => donorLink(donor, c),
    },
    {
      delete: {
        confirmation: ({ note }) => ({
          title: 'Delete this note?',
          text: html`<p>The note will be permanently deleted:</p>
            <p class="note-text">${note.text}</p>`,
          buttonLabel: 'Delete note',
        }),
        run: ({ donor, note }, c) =>
          deleteNote(deps.db, actingMember(c), { donorId: donor.id, id: note.id }),
        success: 'Note deleted.',
      },
    },
  );

interface NotesView {
  /** URL path of the donor's page. */
  path: string;
  notes: readonly DonorNote[];
  member: ActingMember;
  draft: FormState;
  timeZone: string;
}

/** Renders the notes about a donor, and the form for a new one. */
export const notesView = ({ path, notes, member, draft, timeZone }: NotesView): Html =>
  html`<section class="panel" aria-labelledby="notes">
    <h2 id="notes">Notes</h2>
    ${
      notes.length > 0
        ? html`<ul class="timeline">
            ${notes.map((note) => noteView(path, note, member, timeZone))}
          </ul>`
        : ''
    }
    <details ${draft.problems.has('text') ? 'open' : ''}>
      <summary>Add a note</summary>
      <form method="post" action="${path}/notes">
        ${textArea(draft, {
          name: 'text',
          label: 'New note',
          hint: 'Your team can read it. The donor cannot, but may ask you for a copy of their data.',
          plain: true,
        })}
        <button class="secondary">Add note</button>
      </form>
    </details>
  </section>`;

const noteView = (path: string, note: DonorNote, member: ActingMember, timeZone: string): Html =>
  html`<li>
    <p class="note-text">${note.text}</p>
    <p class="small muted">
      ${note.author_name ?? 'A former member'}, ${exactTimeElement(note.created_at, timeZone)}
      ${note.edited_at ? html` · edited` : ''}
      ${canEditNote(member, note) ? html` · <a href="${path}/notes/${note.id}">Edit</a>` : ''}
      ${canDeleteNote(member, note) ? html` · <a href="${path}/notes/${note.id}/delete">Delete</a>` : ''}
    </p>
  </li>`;
