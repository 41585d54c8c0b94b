import type { Insertable } from 'kysely';
import type { Database } from '../schema.ts';
import type { Random } from './random.ts';

const FIRST_NAMES =
  `Amara Noah Mei Santiago Priya Liam Fatima Elijah Yuki Olivia Kwame Sofia Dmitri Aaliyah
  Hiroshi Grace Omar Ingrid Mateo Leila Jonah Chidi Astrid Rohan Ximena Caleb Nadia Tomasz Imani Felix
  Anh Marisol Tariq Beatrice Kofi Hana Desmond Saoirse Ravi Lucia Malik Wren Ibrahim Naomi Pedro Zainab
  Theo Ana Jamal Eun-ji Rosa Viktor Thandiwe Henry Laila Emeka Clara Arjun Freya Miguel`.split(
    /\s+/,
  );

const LAST_NAMES =
  `Okafor Bennett Nakamura Reyes Iyer Sullivan Haddad Washington Tanaka Lindqvist Mensah
  Moreau Petrov Coleman Nguyen Whitaker Rahman Halvorsen Castillo Farouk Abrams Eze Bergström Mehta
  Delgado Porter Ivanova Kowalski Mwangi Weber Tran Herrera Siddiqui Fairchild Asante Park Brooks
  O’Connell Patel Romano Freeman Larkspur Yusuf Goldberg Silva Danjuma Marsh Petersen Bailey Choi
  Vargas Novak Dlamini Ashford Karimi Obi Fischer Rao Solberg Navarro`.split(/\s+/);

/** Places with city, state and the first three digits of the postal code. */
const PLACES = [
  ['Portland', 'ME', '041'],
  ['South Portland', 'ME', '041'],
  ['Westbrook', 'ME', '040'],
  ['Scarborough', 'ME', '040'],
  ['Falmouth', 'ME', '041'],
  ['Biddeford', 'ME', '040'],
  ['Portsmouth', 'NH', '038'],
  ['Boston', 'MA', '021'],
] as const;

/** Domains that RFC 2606 reserves for examples, so that no email can reach anyone. */
const MAIL_DOMAINS = ['example.com', 'example.org', 'example.net'];

export type SeedDonor = Insertable<Database['donor']> & { id: string; created_at: Date };

/** Invents a donor. Any similarity to a real person is a coincidence. */
export function inventDonor(random: Random, organizationId: string, number: number): SeedDonor {
  const first = random.pick(FIRST_NAMES);
  const last = random.pick(LAST_NAMES);
  const [city, state, postal] = random.pick(PLACES);
  const hasAddress = random.probability(0.85);
  return {
    id: random.id('dnr'),
    organization_id: organizationId,
    email: `${emailLocalPart(first)}.${emailLocalPart(last)}${number}@${random.pick(MAIL_DOMAINS)}`,
    first_name: first,
    last_name: last,
    // 555-0100 to 555-0199 are reserved for fiction.
    phone: random.probability(0.5) ? `+1 207 555 01${String(number % 100).padStart(2, '0')}` : null,
    city: hasAddress ? city : null,
    state: hasAddress ? state : null,
    postal_code: hasAddress ? `${postal}${String(random.integer(1, 99)).padStart(2, '0')}` : null,
    country: hasAddress ? 'US' : null,
    source: random.probability(0.7) ? 'embed' : 'import',
    created_at: new Date(0),
  };
}

const emailLocalPart = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
