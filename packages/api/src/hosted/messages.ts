import { preferredLanguageTag } from '@connect-embed/contract/accepted-language';
import {
  donationPageMessages,
  type DonationPageMessages,
} from '@connect-embed/contract/donation-page-messages';
import { LANGUAGES, createTranslator, type Translator } from '../i18n/language.ts';

/** Messages of the hosted page around the donation form. The form has its own messages. */
interface HostedMessages {
  title: string;
  late: string;
  needsScript: string;
  needsScriptText: string;
  footer: string;
  over: string;
  overText: string;
}

const en: HostedMessages = {
  title: 'Give to {org}',
  late: 'The form could not be loaded. Reload this page, or ask {org} about other ways to give.',
  needsScript: 'This form needs JavaScript',
  needsScriptText:
    'Our payment provider’s secure card fields work only with JavaScript. Turn it on for this page, then reload the page. Or ask {org} about other ways to give.',
  footer: 'Connect collects donations for {org}.',
  over: 'This donation page has expired',
  overText:
    'Donation pages expire after one hour. Completed donations are not affected. To donate again, return to the page you came from and follow its link.',
};

const MESSAGES: Readonly<Record<string, HostedMessages>> = {
  en,
  de: {
    title: 'Spenden für {org}',
    late: 'Das Formular ist nicht gekommen. Bitte laden Sie die Seite neu oder fragen Sie {org}, wie Sie sonst spenden können.',
    needsScript: 'Dieses Formular braucht JavaScript',
    needsScriptText:
      'Der Zahlungsdienst nimmt Ihre Karte in einem eigenen Rahmen entgegen, der nur mit JavaScript arbeitet. Bitte erlauben Sie es für diese Seite oder fragen Sie {org}, wie Sie sonst spenden können.',
    footer: 'Eine Seite von Connect, das Spenden für {org} entgegennimmt.',
    over: 'Diese Spendenseite ist geschlossen',
    overText:
      'Sie bleibt nur eine Stunde offen. Eine hier abgeschlossene Spende zählt. Um noch einmal zu spenden, gehen Sie bitte zurück zur Seite, von der Sie kamen, und folgen Sie dort wieder dem Link.',
  },
  es: {
    title: 'Dona a {org}',
    late: 'El formulario no ha llegado. Recarga la página o pregunta a {org} por otra forma de donar.',
    needsScript: 'Este formulario necesita JavaScript',
    needsScriptText:
      'El procesador de pagos recibe tu tarjeta en un marco propio que solo funciona con JavaScript. Permítelo en esta página o pregunta a {org} por otra forma de donar.',
    footer: 'Una página de Connect, que recibe donaciones para {org}.',
    over: 'Esta página de donación se ha cerrado',
    overText:
      'Solo permanece abierta una hora. Una donación completada aquí cuenta. Para donar de nuevo, vuelve a la página que te trajo aquí y sigue otra vez su enlace.',
  },
  fr: {
    title: 'Donner à {org}',
    late: 'Le formulaire n’est pas arrivé. Veuillez recharger la page ou demander à {org} une autre façon de donner.',
    needsScript: 'Ce formulaire a besoin de JavaScript',
    needsScriptText:
      'Le prestataire de paiement reçoit votre carte dans un cadre à lui, qui ne fonctionne qu’avec JavaScript. Veuillez l’autoriser pour cette page ou demander à {org} une autre façon de donner.',
    footer: 'Une page de Connect, qui reçoit les dons pour {org}.',
    over: 'Cette page de don est fermée',
    overText:
      'Elle ne reste ouverte qu’une heure. Un don effectué ici compte. Pour donner à nouveau, veuillez revenir à la page qui vous a amené ici et suivre son lien.',
  },
  pt: {
    title: 'Doe para {org}',
    late: 'O formulário não chegou. Recarregue a página ou peça a {org} outra forma de doar.',
    needsScript: 'Este formulário precisa de JavaScript',
    needsScriptText:
      'A processadora de pagamentos recebe seu cartão em um quadro próprio, que só funciona com JavaScript. Permita-o nesta página ou peça a {org} outra forma de doar.',
    footer: 'Uma página do Connect, que recebe doações para {org}.',
    over: 'Esta página de doação foi fechada',
    overText:
      'Ela fica aberta por apenas uma hora. Uma doação concluída aqui vale. Para doar de novo, volte à página que trouxe você aqui e siga o link outra vez.',
  },
  it: {
    title: 'Dona a {org}',
    late: 'Il modulo non è arrivato. Ricarica la pagina o chiedi a {org} un altro modo per donare.',
    needsScript: 'Questo modulo ha bisogno di JavaScript',
    needsScriptText:
      'Il gestore dei pagamenti riceve la tua carta in un riquadro proprio, che funziona solo con JavaScript. Consentilo per questa pagina o chiedi a {org} un altro modo per donare.',
    footer: 'Una pagina di Connect, che riceve le donazioni per {org}.',
    over: 'Questa pagina di donazione è chiusa',
    overText:
      'Resta aperta solo un’ora. Una donazione completata qui conta. Per donare di nuovo, torna alla pagina che ti ha portato qui e segui di nuovo il suo link.',
  },
  nl: {
    title: 'Geef aan {org}',
    late: 'Het formulier is niet gekomen. Laad de pagina opnieuw of vraag {org} hoe je anders kunt geven.',
    needsScript: 'Dit formulier heeft JavaScript nodig',
    needsScriptText:
      'De betaaldienst neemt je kaart aan in een eigen kader, dat alleen met JavaScript werkt. Sta het toe voor deze pagina of vraag {org} hoe je anders kunt geven.',
    footer: 'Een pagina van Connect, dat giften aanneemt voor {org}.',
    over: 'Deze pagina om te geven is gesloten',
    overText:
      'Ze blijft maar een uur open. Een gift die hier is voltooid, telt. Ga om nog eens te geven terug naar de pagina waar je vandaan kwam en volg daar de link opnieuw.',
  },
  ja: {
    title: '{org}に寄付する',
    late: 'フォームが表示されません。ページを再読み込みするか、ほかの寄付方法を{org}にお尋ねください。',
    needsScript: 'このフォームにはJavaScriptが必要です',
    needsScriptText:
      'カードは決済会社の専用の枠で受け付けられ、JavaScriptでのみ動作します。このページで許可するか、ほかの寄付方法を{org}にお尋ねください。',
    footer: '{org}への寄付を受け付けるConnectのページです。',
    over: 'この寄付ページは終了しました',
    overText:
      'ページは1時間だけ開いています。ここで完了した寄付は有効です。もう一度寄付するには、元のページに戻り、リンクを開き直してください。',
  },
  zh: {
    title: '向{org}捐款',
    late: '表单没有出现。请刷新页面，或向{org}询问其他捐款方式。',
    needsScript: '此表单需要 JavaScript',
    needsScriptText:
      '支付机构在自己的框架中接收您的银行卡信息，只有启用 JavaScript 才能使用。请在此页面允许它，或向{org}询问其他捐款方式。',
    footer: '这是 Connect 的页面，为{org}接收捐款。',
    over: '此捐款页面已关闭',
    overText:
      '页面只开放一小时。在这里完成的捐款有效。如要再次捐款，请返回原来的页面并重新点击其链接。',
  },
  ar: {
    title: 'التبرع إلى {org}',
    late: 'لم يظهر النموذج. يرجى إعادة تحميل الصفحة، أو سؤال {org} عن طريقة أخرى للتبرع.',
    needsScript: 'يحتاج هذا النموذج إلى JavaScript',
    needsScriptText:
      'يستقبل معالج الدفع بطاقتك في إطار خاص به لا يعمل إلا مع JavaScript. يرجى السماح به لهذه الصفحة، أو سؤال {org} عن طريقة أخرى للتبرع.',
    footer: 'صفحة من Connect الذي يستقبل التبرعات إلى {org}.',
    over: 'أُغلقت صفحة التبرع هذه',
    overText:
      'تبقى مفتوحة ساعة واحدة فقط. التبرع الذي اكتمل هنا محسوب. للتبرع مرة أخرى، يرجى العودة إلى الصفحة التي جئت منها وفتح رابطها من جديد.',
  },
  he: {
    title: 'תרומה לארגון {org}',
    late: 'הטופס לא הופיע. נא לטעון את הדף מחדש, או לשאול את {org} על דרך אחרת לתרום.',
    needsScript: 'הטופס הזה זקוק ל־JavaScript',
    needsScriptText:
      'חברת הסליקה מקבלת את הכרטיס שלך במסגרת משלה, שפועלת רק עם JavaScript. נא לאפשר אותו בדף הזה, או לשאול את {org} על דרך אחרת לתרום.',
    footer: 'דף של Connect, שמקבל תרומות עבור {org}.',
    over: 'דף התרומה הזה נסגר',
    overText:
      'הוא פתוח לשעה בלבד. תרומה שהושלמה כאן נחשבת. כדי לתרום שוב, נא לחזור לדף שממנו הגעת וללחוץ שוב על הקישור.',
  },
  hi: {
    title: '{org} को दान दें',
    late: 'फ़ॉर्म नहीं आया। कृपया पेज फिर लोड करें, या {org} से दान का दूसरा तरीका पूछें।',
    needsScript: 'इस फ़ॉर्म के लिए JavaScript ज़रूरी है',
    needsScriptText:
      'भुगतान सेवा आपका कार्ड अपने फ़्रेम में लेती है, जो केवल JavaScript के साथ चलता है। कृपया इस पेज पर इसकी अनुमति दें, या {org} से दान का दूसरा तरीका पूछें।',
    footer: 'Connect का एक पेज, जो {org} के लिए दान लेता है।',
    over: 'यह दान पेज बंद हो गया है',
    overText:
      'यह केवल एक घंटे खुला रहता है। यहाँ पूरा हुआ दान मान्य है। फिर दान करने के लिए कृपया उस पेज पर लौटें जहाँ से आप आए थे और उसका लिंक फिर खोलें।',
  },
};

/** Messages and formats for one visitor of the hosted page. */
export interface HostedTranslator extends Pick<Translator, 'language' | 'locale' | 'direction'> {
  translate(key: keyof HostedMessages | keyof DonationPageMessages, organization?: string): string;
}

/**
 * Chooses the first supported language of the visitor's browser, or English.
 *
 * @param accepted the `Accept-Language` header: `de-AT,de;q=0.9,en;q=0.8`
 */
export function createHostedTranslator(accepted: string | undefined): HostedTranslator {
  const isOurs = (language: string) => Object.hasOwn(LANGUAGES, language);
  const translator = createTranslator(preferredLanguageTag(accepted, isOurs) ?? null);
  const messages = {
    ...(MESSAGES[translator.language] ?? en),
    ...donationPageMessages(translator.language),
  };
  const { language, locale, direction, isolate } = translator;
  return {
    language,
    locale,
    direction,
    translate: (key, organization = '') => messages[key].replaceAll('{org}', isolate(organization)),
  };
}
