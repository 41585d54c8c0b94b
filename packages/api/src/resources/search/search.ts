import { createHash } from 'node:crypto';
import { normalizeReference, type Mask } from '@connect-embed/contract';
import type { Credential } from '../../http/credential.ts';
import { mayNameCurrency, readAmounts, readAmountsIn } from './amounts.ts';

/**
 * Kinds of search terms. Each term in a resource's `search` column starts with the letter of its kind, so
 * that a session cannot search fields that its masks hide. The generated columns in db/schema.sql write
 * the same letters.
 */
const TERM_KINDS = {
  names: 'n',
  emails: 'e',
  wholeEmails: 'm',
  phones: 'p',
  addresses: 'a',
  references: 'r',
  texts: 't',
  amounts: 'd',
} as const;
type TermKind = keyof typeof TERM_KINDS;

/** Defines how one kind of resource is searched. */
interface SearchRules {
  /** Kinds of terms that are searched for each word. */
  words: readonly TermKind[];
  /**
   * Kind of terms that a number is searched in. Phone numbers are searched by their beginning, and amounts as a whole:
   * `50` finds 50.00, and `€50` only euros.
   */
  numbers?: 'phones' | 'amounts';
  /** True if the text can be a donation reference. */
  references?: true;
  /** Pattern of an id. An id is only compared as a whole. */
  id: RegExp;
}

export const DONATION_SEARCH: SearchRules = {
  words: ['names', 'emails'],
  numbers: 'amounts',
  references: true,
  id: /^(?:don|pi)_\w+$/,
};

export const DONOR_SEARCH: SearchRules = {
  words: ['names', 'emails', 'addresses'],
  numbers: 'phones',
  id: /^dnr_\w+$/,
};

export const PAYOUT_SEARCH: SearchRules = {
  words: ['texts'],
  numbers: 'amounts',
  id: /^po_\w+$/,
};

/** The parsed `q` for the filters of a list: a PostgreSQL `tsquery` as text, or an id. */
export interface SearchFilters {
  search: string;
  search_id: string;
  /** Currencies and minor units of the amounts that are searched: `['usd5000', 'cad5000']`. */
  search_amounts: readonly string[];
}

/**
 * Maximum number of words in a search. Each word is one index lookup, and further words are
 * ignored.
 */
const MAX_WORDS = 8;
/** Minimum lengths of references and phone numbers. Shorter prefixes match too many rows. */
const MIN_REFERENCE_LENGTH = 4;
const MIN_PHONE_DIGITS = 3;
/** Maximum lengths of a word and of an email address in the index. */
const MAX_WORD_LENGTH = 40;
const MAX_EMAIL_LENGTH = 100;
/**
 * Matches spaces and punctuation of ASCII, Latin-1, Unicode's general block and CJK, as the function
 * `search_words` in db/schema.sql.
 */
const SEPARATORS =
  /[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+/u;

/** A phone number as people write it: `+1 (555) 010-4477`, `tel 555-0104`. */
const PHONE_NUMBER = /^[a-z]{0,3}[\d\s()+.,/'’-]+[a-z]{0,3}$/iu;

/** Who reads a list. */
export interface Reader {
  organizationId: string;
  /** The organization's currency, for lists with amounts. */
  currency?: string | undefined;
  /** Masks of the reader. Masked fields are neither searched nor exported. */
  masks?: ReadonlySet<Mask> | undefined;
}

/** Returns the organization and the masks of the credential that sent the search. */
export const readerFor = ({ organization, masks }: Credential): Reader => ({
  organizationId: organization.id,
  currency: organization.currency,
  masks,
});

/** Replaces the parameter `q` by the filters that search for it. */
export function withSearch<Query extends { q?: string | undefined }>(
  { q, ...query }: Query,
  rules: SearchRules,
  reader: Reader,
): Omit<Query, 'q'> & Partial<SearchFilters> {
  if (q === undefined) return query;
  const id = q.trim();
  if (rules.id.test(id)) return { ...query, search_id: id };
  const amounts =
    rules.numbers === 'amounts' && mayNameCurrency(q) ? amountFilters(q, reader) : undefined;
  if (amounts) return { ...query, ...amounts };
  return { ...query, search: buildTsquery(q, rules, reader) };
}

/** Returns the filters that find exactly an amount, in each currency that it can mean; undefined if the text is none. */
export function amountFilters(
  text: string,
  { organizationId, currency }: Reader,
): Pick<SearchFilters, 'search' | 'search_amounts'> | undefined {
  const amounts = readAmounts(text, currency);
  if (amounts.length === 0) return undefined;
  const numbers = new Set(amounts.map(({ cents }) => String(cents)));
  const tenant = tenantPrefix(organizationId);
  return {
    search: [...numbers].map((number) => exactTerm(tenant, 'amounts', number)).join(' | '),
    search_amounts: amounts.map((amount) => `${amount.currency}${amount.cents}`),
  };
}

/** Prefix of every term, so that a search never reads the terms of another organization. */
const tenantPrefix = (organizationId: string) =>
  createHash('sha256').update(organizationId).digest('hex').slice(0, 6);

const exactTerm = (tenant: string, kind: TermKind, text: string) =>
  `'${tenant}${TERM_KINDS[kind]}${text.replace(/['\\]/g, '$&$&')}'`;

function buildTsquery(
  q: string,
  { words, numbers, references }: SearchRules,
  { organizationId, currency, masks }: Reader,
): string {
  const tenant = tenantPrefix(organizationId);
  const isVisible = (kind: TermKind) => !masks?.has(kind as Mask);
  /** Matches all terms that begin with the text. */
  const toTerm = (kind: TermKind, text: string) => `${exactTerm(tenant, kind, text)}:*`;
  const folded = q.normalize('NFKD').replace(/[\u0300-\u036f]+/g, '');
  const kinds = words.filter(isVisible);
  const alternatives = [
    splitWords(folded, kinds.includes('emails'))
      .map(({ text, isEmail }) => {
        const terms = (isEmail ? (['wholeEmails'] as const) : kinds).map((kind) =>
          toTerm(kind, text),
        );
        return `(${terms.join(' | ')})`;
      })
      .join(' & '),
  ].filter((alternative) => kinds.length > 0 && alternative !== '');
  const reference = references && normalizeReference(q);
  if (reference && reference.length >= MIN_REFERENCE_LENGTH)
    alternatives.push(toTerm('references', reference));
  if (numbers === 'amounts') {
    const amounts = currency ? readAmountsIn(currency, q) : [];
    alternatives.push(...amounts.map((cents) => exactTerm(tenant, numbers, String(cents))));
  } else if (numbers && isVisible(numbers) && PHONE_NUMBER.test(folded)) {
    const number = folded.replace(/\D/g, '');
    if (number.length >= MIN_PHONE_DIGITS) alternatives.push(toTerm(numbers, number));
  }
  // The input has no searchable word, so the query matches nothing.
  return alternatives.join(' | ') || `'${tenant}'`;
}

interface Word {
  text: string;
  isEmail: boolean;
}

/**
 * Splits the text into words like those in the index. A complete email address is one word;
 * without `withEmails`, its parts are separate words.
 */
function splitWords(folded: string, withEmails: boolean): Word[] {
  const words = folded.split(/\s+/).flatMap((chunk): Word[] => {
    const isEmail = withEmails && /[^@]@/.test(chunk);
    if (isEmail) return [{ text: chunk.slice(0, MAX_EMAIL_LENGTH), isEmail }];
    return chunk
      .split(SEPARATORS)
      .filter(Boolean)
      .map((word) => ({ text: [...word].slice(0, MAX_WORD_LENGTH).join(''), isEmail }));
  });
  return words.slice(0, MAX_WORDS);
}
