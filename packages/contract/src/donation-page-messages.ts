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
    nowhere: 'Spendenseite nicht gefunden',
    nowhereText:
      'Die Adresse ist möglicherweise unvollständig. Um zu spenden, gehen Sie zurück zu der Seite, von der Sie gekommen sind, und öffnen Sie dort den Link erneut.',
    away: 'Die Spendenseite ist gerade nicht verfügbar',
    awayText:
      'Laden Sie diese Seite gleich noch einmal. Abgeschlossene Spenden sind davon nicht betroffen.',
  },
  es: {
    nowhere: 'Página de donación no encontrada',
    nowhereText:
      'Puede que la dirección esté incompleta. Para donar, vuelve a la página de la que vienes y sigue otra vez su enlace.',
    away: 'La página de donación no está disponible en este momento',
    awayText:
      'Vuelve a cargar esta página en un momento. Esto no afecta a las donaciones completadas.',
  },
  fr: {
    nowhere: 'Page de don introuvable',
    nowhereText:
      'L’adresse est peut-être incomplète. Pour donner, revenez à la page d’où vous venez et suivez de nouveau son lien.',
    away: 'La page de don n’est pas disponible pour le moment',
    awayText:
      'Rechargez cette page dans un instant. Les dons déjà effectués ne sont pas concernés.',
  },
  pt: {
    nowhere: 'Página de doação não encontrada',
    nowhereText:
      'O endereço pode estar incompleto. Para doar, volte à página de onde você veio e siga o link de novo.',
    away: 'A página de doação não está disponível no momento',
    awayText: 'Recarregue esta página daqui a pouco. As doações concluídas não são afetadas.',
  },
  it: {
    nowhere: 'Pagina di donazione non trovata',
    nowhereText:
      'L’indirizzo potrebbe essere incompleto. Per donare, torna alla pagina di provenienza e segui di nuovo il suo link.',
    away: 'La pagina di donazione non è disponibile in questo momento',
    awayText: 'Ricarica questa pagina tra un momento. Le donazioni completate restano valide.',
  },
  nl: {
    nowhere: 'Donatiepagina niet gevonden',
    nowhereText:
      'Het adres is misschien onvolledig. Ga om te doneren terug naar de pagina waar je vandaan kwam en volg daar de link opnieuw.',
    away: 'De donatiepagina is nu niet beschikbaar',
    awayText: 'Laad deze pagina zo meteen opnieuw. Voltooide donaties blijven geldig.',
  },
  ja: {
    nowhere: '寄付ページが見つかりません',
    nowhereText:
      'アドレスが途中で切れている可能性があります。寄付するには、元のページに戻り、リンクをもう一度開いてください。',
    away: '寄付ページは現在ご利用いただけません',
    awayText: 'しばらくしてからページを再読み込みしてください。完了した寄付に影響はありません。',
  },
  zh: {
    nowhere: '找不到捐款页面',
    nowhereText: '地址可能不完整。如要捐款，请返回原来的页面并再次点击其中的链接。',
    away: '捐款页面暂时无法使用',
    awayText: '请稍后重新加载此页面。已完成的捐款不受影响。',
  },
  ar: {
    nowhere: 'صفحة التبرع غير موجودة',
    nowhereText:
      'قد يكون العنوان غير مكتمل. للتبرع، يرجى العودة إلى الصفحة التي جئت منها وفتح رابطها من جديد.',
    away: 'صفحة التبرع غير متاحة حاليًا',
    awayText: 'يرجى إعادة تحميل هذه الصفحة بعد قليل. لا يؤثر ذلك في التبرعات المكتملة.',
  },
  he: {
    nowhere: 'דף התרומה לא נמצא',
    nowhereText:
      'ייתכן שהכתובת אינה שלמה. כדי לתרום, נא לחזור לדף שממנו הגעת וללחוץ שוב על הקישור.',
    away: 'דף התרומה אינו זמין כרגע',
    awayText: 'נא לטעון את הדף הזה מחדש בעוד רגע. תרומות שהושלמו אינן מושפעות מכך.',
  },
  hi: {
    nowhere: 'दान पेज नहीं मिला',
    nowhereText:
      'पता अधूरा हो सकता है। दान करने के लिए उस पेज पर लौटें जहाँ से आप आए थे और उसका लिंक फिर खोलें।',
    away: 'दान पेज अभी उपलब्ध नहीं है',
    awayText: 'थोड़ी देर में यह पेज दोबारा लोड करें। पूरे हो चुके दान पर इसका असर नहीं पड़ता।',
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
