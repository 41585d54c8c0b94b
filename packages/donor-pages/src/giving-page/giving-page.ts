import type { FormPage } from '@connect-embed/contract';
import type { MessageKey, Translator } from '@connect-embed/locales';
import type { OrganizationProfile } from './organizations.ts';
import type { Theme } from '../page/theme.ts';
import type { Selection } from './prefill.ts';

/** Translates giving pages. The form has its own messages. */
export type GivingPageTranslator = Translator<
  MessageKey<'hostedPage' | 'donationPage' | 'givingPage'>
>;

/** A link to another form of the organization. */
interface OtherForm {
  slug: string;
  /** Title of its page; null for the usual one. */
  title: string | null;
}

/** What a giving page shows in the place of the form, or the form. */
export type PageState =
  | {
      kind: 'live';
      /** Of the form; on a platform it contains the organization. */
      name: string;
      selection: Selection;
      /** Name of the campaign whose goal the form shows; on a platform it contains the organization. */
      goal: string | undefined;
    }
  | { kind: 'closed'; hasCampaignEnded: boolean; otherForms: readonly OtherForm[] }
  | { kind: 'notFound' }
  | { kind: 'unavailable' };

/** A page of a form at `/give/{slug}`, and `/give/{organization}/{slug}` on a platform. */
export interface GivingPage {
  state: PageState;
  /** Undefined if the API has never sent it. */
  organization: OrganizationProfile | undefined;
  /** Relative path of the server's root, `../` for example, so that pages work under any path of a site. */
  root: string;
  /** Relative path of the organization's logo, if it has one. */
  logo: string | undefined;
  /** Title of the form's settings; null for the usual one. */
  title: string | null;
  description: string | null;
  /** Paragraphs; web addresses in them are links. */
  story: string | null;
  /** Its `url` is a relative path. */
  picture: FormPage['picture'];
  isIndexable: boolean;
  /** The permanent address; undefined if the server does not know its public address. */
  address: string | undefined;
  imageUrl: string | undefined;
  translator: GivingPageTranslator;
  formTranslator: Translator<MessageKey<'form'>>;
  /** `#rrggbb`; null for the color of the elements. */
  accent: string | null;
  theme: Theme;
  /** For the style sheet. */
  nonce: string;
}
