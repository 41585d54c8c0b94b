import { select } from '../pages/field-view.ts';
import type { FieldType } from '../pages/field-types.ts';
import { LOCALE } from '@connect-embed/api/http/page-shell';

/** The currencies in which Stripe takes card payments. */
const CODES =
  'aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd jpy kes kgs khr kmf krw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs top try ttd twd tzs uah ugx usd uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw'.split(
    ' ',
  );

const names = new Intl.DisplayNames(LOCALE, { type: 'currency' });
const CHOICES = CODES.map((value) => {
  const code = value.toUpperCase();
  return { value, text: `${names.of(code) ?? code} (${code})` };
}).sort((one, other) => one.text.localeCompare(other.text, LOCALE));

/** A currency, as a lower-case ISO 4217 code. */
export const currency = (options: { label: string; hint: string }): FieldType<string> => ({
  options: { ...options, required: true },
  render: (draft, field) => select(draft, field, CHOICES),
  read: (form, name) => form.oneOf(name, CODES),
  toText: (code) => code,
});
