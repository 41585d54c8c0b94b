import { createHash } from 'node:crypto';
import { readReference, type Mask } from '@connect-embed/contract';
import type { Credential } from '../auth/credential.ts';

/**
 * Kinds of search terms: each term of a resource's `search` column says of what kind it is, so that a
 * session finds nothing by a field that its masks hide. The migration 0027 writes the same letters.
 */
const TERM_KINDS = {
  names: 'n',
  emails: 'e',
  phones: 'p',
  addresses: 'a',
  references: 'r',
  texts: 't',
  amounts: 'd',
} as const;
type TermKind = keyof typeof TERM_KINDS;

/** How a resource is searched. */
export interface SearchRules {
  /** Kinds of terms that each word is looked up among. */
  words: readonly TermKind[];
  /** Kind of terms that are looked up by digits alone, whatever stands between the digits. */
  digits?: TermKind;
  /** Whether the text may be a reference. */
  references?: true;
  /** What an id looks like. An id is looked up as a whole, and as nothing else. */
  id: RegExp;
}

export const DONATION_SEARCH: SearchRules = {
  words: ['names', 'emails'],
  references: true,
  id: /^(?:don|pi)_\w+$/,
};

export const DONOR_SEARCH: SearchRules = {
  words: ['names', 'emails', 'addresses'],
  digits: 'phones',
  id: /^dnr_\w+$/,
};

export const PAYOUT_SEARCH: SearchRules = {
  words: ['texts'],
  digits: 'amounts',
  id: /^po_\w+$/,
};

/** What `q` becomes, for the filters of a list: a text of PostgreSQL's type `tsquery`, or an id. */
export interface SearchFilters {
  search: string;
  search_id: string;
}

/** Each word costs a look into the index; further words do not count. */
const MAX_WORDS = 8;
/** Shorter beginnings of a reference, and fewer digits, would find rows that nobody meant. */
const MIN_CODE_LENGTH = 4;
const MIN_DIGITS = 3;
/** Longest term of a word, and of a whole e-mail address, that the index has. */
const WORD_LENGTH = 40;
const EMAIL_LENGTH = 100;
/** Punctuation of ASCII and spaces: the same characters as in the migration 0027. */
const SEPARATORS =
  /[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+/u;

interface Reader {
  organizationId: string;
  /** What the reader may not see: fields that they hide are not searched. */
  masks?: ReadonlySet<Mask> | undefined;
}

/** On whose behalf a credential searches. */
export const readerOf = ({ organization, masks }: Credential): Reader => ({
  organizationId: organization.id,
  masks,
});

/**
 * Replaces `q` by what the database understands.
 */
export function withSearch<Query extends { q?: string | undefined }>(
  { q, ...query }: Query,
  rules: SearchRules,
  { organizationId, masks }: Reader,
): Omit<Query, 'q'> & Partial<SearchFilters> {
  if (q === undefined) return query;
  const id = q.trim();
  if (rules.id.test(id)) return { ...query, search_id: id };
  const isOpen = (kind: TermKind) => !masks?.has(kind as Mask);
  return { ...query, search: tsqueryOf(q, rules, tenantOf(organizationId), isOpen) };
}

/** Every term begins with this, so that one organization's search never reads another's terms. */
const tenantOf = (organizationId: string) =>
  createHash('sha256').update(organizationId).digest('hex').slice(0, 6);

function tsqueryOf(
  q: string,
  { words, digits, references }: SearchRules,
  tenant: string,
  isOpen: (kind: TermKind) => boolean,
): string {
  const term = (kind: TermKind, text: string) =>
    `'${tenant}${TERM_KINDS[kind]}${text.replace(/['\\]/g, '$&$&')}':*`;
  const folded = q.normalize('NFKD').replace(/[\u0300-\u036f]+/g, '');
  const kinds = words.filter(isOpen);
  const alternatives = [
    wordsOf(folded, kinds.includes('emails'))
      .map(({ text, isEmail }) => {
        const terms = (isEmail ? (['emails'] as const) : kinds).map((kind) => term(kind, text));
        return `(${terms.join(' | ')})`;
      })
      .join(' & '),
  ].filter((one) => kinds.length > 0 && one !== '');
  const code = references && readReference(q);
  if (code && code.length >= MIN_CODE_LENGTH) alternatives.push(term('references', code));
  const number = /^[\d\s()+.,/-]+$/.test(folded) ? folded.replace(/\D/g, '') : '';
  if (digits && isOpen(digits) && number.length >= MIN_DIGITS) {
    alternatives.push(term(digits, number));
  }
  // A term that no resource has: nothing was asked for that could be found.
  return alternatives.join(' | ') || `'${tenant}'`;
}

interface Word {
  text: string;
  isEmail: boolean;
}

/** Words as the index has them; an e-mail address is looked up whole, or its parts are words. */
function wordsOf(folded: string, withEmails: boolean): Word[] {
  const words = folded.split(/\s+/).flatMap((chunk): Word[] => {
    const isEmail = withEmails && /[^@]@/.test(chunk);
    if (isEmail) return [{ text: chunk.slice(0, EMAIL_LENGTH), isEmail }];
    return chunk
      .split(SEPARATORS)
      .filter(Boolean)
      .map((word) => ({ text: [...word].slice(0, WORD_LENGTH).join(''), isEmail }));
  });
  return words.slice(0, MAX_WORDS);
}
