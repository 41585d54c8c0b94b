import type { Db } from '../src/db/database.ts';
import { seedDemoPeople } from '../src/users/demo-people.ts';
import { openPeople } from '../src/users/people.ts';
import { Visitor } from './visitor.ts';

/** Adds the demonstration's people; each visitor has a browser of their own. */
export async function seedPeople({ db, url }: { db: Db; url: string }) {
  const secret = 'a secret only for seeding people';
  await seedDemoPeople(db, openPeople(db, { secret, baseUrl: url }));
  return () => new Visitor(url);
}
