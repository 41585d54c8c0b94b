import { preferredLanguageTag } from './accepted-language.ts';

/**
 * Messages for a donor who opens an unknown donation page, or one that is not available, in the
 * languages of the form. The BFF (permanent URL of a form) and the API (hosted page) both use them.
 */
export interface DonationPageMessages {
  nowhere: string;
  nowhereText: string;
  away: string;
  awayText: string;
}

const MESSAGES: Readonly<Record<string, DonationPageMessages>> = {
  en: {
    nowhere: 'Donation page not found',
    nowhereText:
      'The address may be incomplete. To donate, return to the page you came from and follow its link again.',
    away: 'The donation page is not available right now',
    awayText: 'Reload this page in a moment. Completed donations are not affected.',
  },
  de: {
    nowhere: 'Hier ist keine Spendenseite',
    nowhereText:
      'Vielleicht ist die Adresse unvollständig. Um zu spenden, gehen Sie bitte zurück zur Seite, von der Sie kamen, und folgen Sie dort wieder dem Link.',
    away: 'Die Spendenseite ist gerade nicht erreichbar',
    awayText: 'Bitte laden Sie die Seite gleich noch einmal. Eine abgeschlossene Spende zählt.',
  },
  es: {
    nowhere: 'Aquí no hay ninguna página de donación',
    nowhereText:
      'Puede que la dirección esté incompleta. Para donar, vuelve a la página que te trajo aquí y sigue otra vez su enlace.',
    away: 'La página de donación no está disponible en este momento',
    awayText: 'Recarga la página dentro de un momento. Una donación completada cuenta.',
  },
  fr: {
    nowhere: 'Il n’y a pas de page de don ici',
    nowhereText:
      'L’adresse est peut-être incomplète. Pour donner, veuillez revenir à la page qui vous a amené ici et suivre son lien.',
    away: 'La page de don est indisponible pour le moment',
    awayText: 'Veuillez recharger la page dans un instant. Un don effectué compte.',
  },
  pt: {
    nowhere: 'Não há página de doação aqui',
    nowhereText:
      'O endereço pode estar incompleto. Para doar, volte à página que trouxe você aqui e siga o link outra vez.',
    away: 'A página de doação está indisponível no momento',
    awayText: 'Recarregue a página em instantes. Uma doação concluída vale.',
  },
  it: {
    nowhere: 'Qui non c’è nessuna pagina di donazione',
    nowhereText:
      'Forse l’indirizzo è incompleto. Per donare, torna alla pagina che ti ha portato qui e segui di nuovo il suo link.',
    away: 'La pagina di donazione non è raggiungibile in questo momento',
    awayText: 'Ricarica la pagina tra poco. Una donazione completata vale.',
  },
  nl: {
    nowhere: 'Hier is geen pagina om te geven',
    nowhereText:
      'Misschien is het adres niet volledig. Ga om te geven terug naar de pagina waar je vandaan kwam en volg daar de link opnieuw.',
    away: 'De pagina om te geven is nu niet bereikbaar',
    awayText: 'Laad de pagina zo meteen opnieuw. Een gift die is voltooid, telt.',
  },
  ja: {
    nowhere: 'ここに寄付ページはありません',
    nowhereText:
      'アドレスが途中で切れているかもしれません。寄付するには、元のページに戻り、リンクを開き直してください。',
    away: '寄付ページに現在アクセスできません',
    awayText: '少し待ってからページを再読み込みしてください。完了した寄付は有効です。',
  },
  zh: {
    nowhere: '这里没有捐款页面',
    nowhereText: '地址可能不完整。如要捐款，请返回原来的页面并重新点击其链接。',
    away: '捐款页面暂时无法访问',
    awayText: '请稍后刷新页面。已完成的捐款有效。',
  },
  ar: {
    nowhere: 'لا توجد صفحة تبرع هنا',
    nowhereText:
      'ربما يكون العنوان غير كامل. للتبرع، يرجى العودة إلى الصفحة التي جئت منها وفتح رابطها من جديد.',
    away: 'صفحة التبرع غير متاحة حاليًا',
    awayText: 'يرجى إعادة تحميل الصفحة بعد قليل. التبرع الذي اكتمل محسوب.',
  },
  he: {
    nowhere: 'אין כאן דף תרומה',
    nowhereText:
      'ייתכן שהכתובת אינה שלמה. כדי לתרום, נא לחזור לדף שממנו הגעת וללחוץ שוב על הקישור.',
    away: 'דף התרומה אינו זמין כרגע',
    awayText: 'נא לטעון את הדף מחדש בעוד רגע. תרומה שהושלמה נחשבת.',
  },
  hi: {
    nowhere: 'यहाँ कोई दान पेज नहीं है',
    nowhereText:
      'शायद पता अधूरा है। दान करने के लिए कृपया उस पेज पर लौटें जहाँ से आप आए थे और उसका लिंक फिर खोलें।',
    away: 'दान पेज अभी उपलब्ध नहीं है',
    awayText: 'कृपया थोड़ी देर में पेज फिर लोड करें। पूरा हुआ दान मान्य है।',
  },
};

/** Returns the messages of a language, or the English messages if the language is not supported. */
export const donationPageMessages = (language: string): DonationPageMessages =>
  (Object.hasOwn(MESSAGES, language) ? MESSAGES[language] : undefined) ?? MESSAGES['en']!;

/**
 * Returns messages in the visitor's preferred language, with the values of HTML's `lang` and `dir`.
 */
export function localizeDonationPage(acceptLanguage: string | undefined) {
  const tag =
    preferredLanguageTag(acceptLanguage, (language) => Object.hasOwn(MESSAGES, language)) ?? 'en';
  const language = tag.split('-')[0]!.toLowerCase();
  const direction = language === 'ar' || language === 'he' ? 'rtl' : 'ltr';
  return { language, direction, messages: donationPageMessages(language) };
}
