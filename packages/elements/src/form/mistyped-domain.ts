/**
 * Domains of many donors, the most frequent first; the last three are real and resemble the first. Domains
 * with short names, and endings of countries, are not in the list: one other letter is often a real one.
 */
const DOMAINS = [
  ...['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com', 'comcast.net'],
  ...['verizon.net', 'googlemail.com', 'protonmail.com', 'wanadoo.fr', 'orange.fr', 'libero.it'],
  ...['mail.com', 'ymail.com', 'email.com'],
];

/** Returns the address with the domain that was probably meant; undefined if nothing suggests another. */
export function findIntendedAddress(email: string): string | undefined {
  const at = email.indexOf('@') + 1;
  const domain = email.slice(at).toLowerCase();
  if (at < 2 || DOMAINS.includes(domain)) return undefined;
  const [name, ending] = splitDomain(domain);
  const likely = (allowed: number) =>
    DOMAINS.find((known) => {
      const [knownName, knownEnding] = splitDomain(known);
      const typosInName = countTypos(name, knownName);
      const typosInEnding = ending ? countTypos(ending, knownEnding) : 1;
      const isSimilar = typosInName <= (knownName.length > 5 ? 2 : 1) && typosInEnding <= 1;
      return isSimilar && typosInName + typosInEnding <= allowed;
    });
  const intended = likely(1) ?? likely(2);
  return intended && email.slice(0, at) + intended;
}

/** `yahoo.co.uk` has the name `yahoo` and the ending `co.uk`. */
function splitDomain(domain: string): [name: string, ending: string] {
  const [name = '', ...rest] = domain.split('.');
  return [name, rest.join('.')];
}

/** Counts the letters that are missing, too many, wrong, or swapped with the next one. */
function countTypos(typed: string, intended: string): number {
  const rows = [Array.from({ length: intended.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= typed.length; row += 1) {
    const counts = [row];
    for (let column = 1; column <= intended.length; column += 1) {
      const isSame = typed[row - 1] === intended[column - 1];
      const isSwapped =
        typed[row - 2] === intended[column - 1] && typed[row - 1] === intended[column - 2];
      const before = rows[row - 1]!;
      counts[column] = Math.min(
        counts[column - 1]! + 1,
        before[column]! + 1,
        before[column - 1]! + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? rows[row - 2]![column - 2]! + 1 : Infinity,
      );
    }
    rows.push(counts);
  }
  return rows[typed.length]![intended.length]!;
}
