import type { Plural } from '@connect-embed/contract/interpolate';
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import he from './he.json' with { type: 'json' };
import hi from './hi.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

export type Namespace = keyof typeof en;

/** The message keys of the given namespaces. */
export type MessageKey<N extends Namespace> = { [Name in N]: keyof (typeof en)[Name] & string }[N];

/** The messages of one language. English defines namespaces, keys, and which messages have plural forms. */
type Catalog = {
  [N in Namespace]: {
    [Key in keyof (typeof en)[N]]: (typeof en)[N][Key] extends string ? string : Plural;
  };
};

/** The messages of every language. */
export const CATALOGS: Readonly<Record<string, Catalog>> = {
  en,
  ar,
  de,
  es,
  fr,
  he,
  hi,
  it,
  ja,
  nl,
  pt,
  zh,
};
