import type { Plural } from '@connect-embed/contract/interpolate';
import type en from '@connect-embed/locales/en.json';

type English = typeof en;

/** Messages in any language; English defines the keys, and which messages have plural forms. */
type Messages<Source> = { [Key in keyof Source]: Source[Key] extends string ? string : Plural };

/** Messages without a default, which only the owner of a form or a page sets. */
interface OwnerMessages {
  /** Paragraph below the title. */
  intro?: string;
  /** Paragraph of the thank-you page, below the confirmation. */
  thanksNote?: string;
}

/** Messages of the form until it is drawn. */
export type DonateMessages = Messages<English['form']> & OwnerMessages;

/** All messages of a form. */
export type FormMessages = DonateMessages & Messages<English['donationFlow']>;

export type GoalMessages = Messages<English['goal']>;

/** All messages of tables and details. */
export type TablesMessages = Messages<English['tables'] & English['tableFeatures']>;
