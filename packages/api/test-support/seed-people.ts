import type { Db } from '../src/db/schema.ts';
import { seedDemoPeople } from '../src/users/demo-people.ts';
import { People } from '../src/users/people.ts';
import { Visitor } from './visitor.ts';

/** Adds the demo accounts. Returns a function that creates a visitor with a new browser. */
export async function seedPeople({ db, url }: { db: Db; url: string }) {
  const secret = 'a secret only for seeding people';
  await seedDemoPeople(db, new People(db, { secret, baseUrl: url }));
  return () => new Visitor(url);
}
