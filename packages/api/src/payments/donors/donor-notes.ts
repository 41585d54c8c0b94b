import { ConnectError, invalidRequest } from '@connect-embed/contract';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { findById, newId } from '../../lib/id.ts';
import { lockDonor, type ActingMember } from './find-donor.ts';

/** A note that a member adds, edits or deletes. */
interface NoteRef {
  donorId: string;
  id: string;
}

/** Loads the notes about a donor, newest first, with the names of their authors. */
export const loadNotes = (db: Db, organizationId: string, donorId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('donor_note')
    .leftJoin('person', 'person.id', 'donor_note.author_id')
    .where('donor_note.donor_id', '=', donorId)
    .orderBy('donor_note.created_at', 'desc')
    .orderBy('donor_note.id', 'desc')
    .selectAll('donor_note')
    .select('person.name as author_name')
    .execute();

export type DonorNote = Awaited<ReturnType<typeof loadNotes>>[number];

/** Whether a member may edit a note: its author. */
export const canEditNote = ({ personId }: ActingMember, note: Pick<DonorNote, 'author_id'>) =>
  note.author_id === personId;

/** Whether a member may delete a note: its author, and every owner. */
export const canDeleteNote = (member: ActingMember, note: Pick<DonorNote, 'author_id'>) =>
  member.role === 'owner' || canEditNote(member, note);

/** @throws {ConnectError} `not_found`, `conflict` if the donor was erased, `invalid_request` */
export async function addNote(
  db: Db,
  { organizationId, personId }: ActingMember,
  donorId: string,
  text: string | null,
): Promise<void> {
  const note = { donor_id: donorId, text: requireText(text), author_id: personId };
  await db.transaction().execute(async (tx) => {
    await lockDonor(tx, organizationId, donorId);
    await forOrganization(tx, organizationId)
      .insertInto('donor_note', { id: newId('dnt'), ...note })
      .execute();
  });
}

/** @throws {ConnectError} `not_found`, `forbidden`, `invalid_request` */
export async function editNote(
  db: Db,
  member: ActingMember,
  ref: NoteRef,
  text: string | null,
): Promise<void> {
  const note = await findNote(db, member, ref);
  if (!canEditNote(member, note))
    throw new ConnectError('forbidden', 'Only its author can edit a note.');
  await forOrganization(db, member.organizationId)
    .updateTable('donor_note')
    .set({ text: requireText(text), edited_at: new Date() })
    .where('id', '=', ref.id)
    .execute();
}

/** @throws {ConnectError} `not_found`, `forbidden` */
export async function deleteNote(db: Db, member: ActingMember, ref: NoteRef): Promise<void> {
  const note = await findNote(db, member, ref);
  if (!canDeleteNote(member, note))
    throw new ConnectError('forbidden', 'Only its author and owners can delete a note.');
  await forOrganization(db, member.organizationId)
    .deleteFrom('donor_note')
    .where('id', '=', ref.id)
    .execute();
}

/** @throws {ConnectError} `not_found` */
export const findNote = (
  db: Db,
  { organizationId }: Pick<ActingMember, 'organizationId'>,
  { donorId, id }: NoteRef,
) =>
  findById(
    'note',
    id,
    forOrganization(db, organizationId)
      .selectFrom('donor_note')
      .selectAll()
      .where('donor_id', '=', donorId)
      .where('id', '=', id),
  );

function requireText(text: string | null): string {
  if (!text) throw invalidRequest('text', 'is required.');
  return text;
}
