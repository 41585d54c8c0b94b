/** Finds names that were replaced by standard terms, in file names and identifiers. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Words that must not occur in a file name or identifier, with the term to use instead. */
const RETIRED_WORDS: Record<string, string> = {
  arranging: 'sorting',
  befalls: 'shouldFail',
  dialer: 'agent',
  gaps: 'spacers',
  happenings: 'scheduledJobs',
  heal: 'repair',
  healed: 'repaired',
  misfortune: 'faultInjection',
  narrowing: 'filters',
  patience: 'retryPolicy',
  patiently: 'withRetry',
  postman: 'mailWorker',
  sayings: 'messages',
  speech: 'translator',
  teller: 'formatter',
  thanking: 'thankYou',
  unsettled: 'pending',
};

/**
 * Whole identifiers, and file names without extension, that must not occur, with the term to use
 * instead.
 */
const RETIRED_NAMES: Record<string, string> = {
  askForRefund: 'saveRefundRequest',
  begunHere: 'ownIntent',
  'browsers-may-call': 'cors',
  'donor-words': 'i18n',
  'guard-answers': 'security-headers',
  goOn: 'redirectWithFlash',
  GiftTermsInput: 'DonationTermsInput',
  grantableScopes: 'heldScopes',
  inOneWait: 'withDeadline',
  isAsAgreed: 'describeMismatch',
  'least-data': 'field-masking',
  leftBehind: 'removalImpact',
  mayTakeGifts: 'requireChargesEnabled',
  readAgain: 'fetchAndSync',
  settleGift: 'applyDonationTerms',
  showAtOnce: 'trySync',
  takeReading: 'nextRowVersion',
  tellOfAttack: 'setResponseHeaders',
  whoIs: 'getSession',
  'worn-out': 'cancel-after-declines',
};

const SOURCE = /\.(?:ts|tsx|js|mjs)$/;
const COMMENTS_AND_STRINGS =
  /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^\\`])*`/g;

const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);

/**
 * @returns the term to use instead; undefined for an allowed name
 */
function replacementOf(name: string): string | undefined {
  if (Object.hasOwn(RETIRED_NAMES, name)) return RETIRED_NAMES[name];
  const word = wordsOf(name).find((each) => Object.hasOwn(RETIRED_WORDS, each));
  return word && RETIRED_WORDS[word];
}

/**
 * Finds retired names in a path and in the source's identifiers.
 *
 * @param path from the root of the repository
 * @param source content of a script; empty for other files
 * @returns a line for each retired name
 */
export function retiredNamesIn(path: string, source: string): string[] {
  const pathNames = path.split('/').map((part) => part.replace(/\..*$/, ''));
  const identifiers = source.replace(COMMENTS_AND_STRINGS, ' ').match(/[A-Za-z_$][\w$]*/g) ?? [];
  return [...new Set([...pathNames, ...identifiers])].flatMap((name) => {
    const replacement = replacementOf(name);
    return replacement === undefined ? [] : [`${path}: ${name}; use ${replacement}`];
  });
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..');
  const paths = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path && !/^docs\/|^\.changeset\/|retired-terms/.test(path));
  const found = paths.flatMap((path) =>
    retiredNamesIn(path, SOURCE.test(path) ? readFileSync(join(root, path), 'utf8') : ''),
  );
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
}
