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
    late: 'Das Formular konnte nicht geladen werden. Laden Sie diese Seite neu oder fragen Sie {org} nach anderen Spendenmöglichkeiten.',
    needsScript: 'Dieses Formular benötigt JavaScript',
    needsScriptText:
      'Die sicheren Kartenfelder unseres Zahlungsdienstes funktionieren nur mit JavaScript. Aktivieren Sie es für diese Seite und laden Sie die Seite neu. Oder fragen Sie {org} nach anderen Spendenmöglichkeiten.',
    footer: 'Connect nimmt Spenden für {org} entgegen.',
    over: 'Diese Spendenseite ist abgelaufen',
    overText:
      'Spendenseiten laufen nach einer Stunde ab. Abgeschlossene Spenden sind davon nicht betroffen. Um erneut zu spenden, gehen Sie zurück zu der Seite, von der Sie gekommen sind, und öffnen Sie dort den Link.',
  },
  es: {
    title: 'Dona a {org}',
    late: 'No se ha podido cargar el formulario. Vuelve a cargar esta página o pregunta a {org} por otras formas de donar.',
    needsScript: 'Este formulario necesita JavaScript',
    needsScriptText:
      'Los campos seguros de la tarjeta de nuestro proveedor de pagos solo funcionan con JavaScript. Actívalo para esta página y vuelve a cargarla. O pregunta a {org} por otras formas de donar.',
    footer: 'Connect recauda donaciones para {org}.',
    over: 'Esta página de donación ha caducado',
    overText:
      'Las páginas de donación caducan al cabo de una hora. Esto no afecta a las donaciones completadas. Para donar de nuevo, vuelve a la página de la que vienes y sigue su enlace.',
  },
  fr: {
    title: 'Donner à {org}',
    late: 'Le formulaire n’a pas pu être chargé. Rechargez cette page ou demandez à {org} comment donner autrement.',
    needsScript: 'Ce formulaire nécessite JavaScript',
    needsScriptText:
      'Les champs de carte sécurisés de notre prestataire de paiement ne fonctionnent qu’avec JavaScript. Activez-le pour cette page, puis rechargez-la. Vous pouvez aussi demander à {org} comment donner autrement.',
    footer: 'Connect collecte les dons pour {org}.',
    over: 'Cette page de don a expiré',
    overText:
      'Les pages de don expirent au bout d’une heure. Les dons déjà effectués ne sont pas concernés. Pour donner à nouveau, revenez à la page d’où vous venez et suivez son lien.',
  },
  pt: {
    title: 'Doe para {org}',
    late: 'Não foi possível carregar o formulário. Recarregue esta página ou pergunte a {org} sobre outras formas de doar.',
    needsScript: 'Este formulário precisa de JavaScript',
    needsScriptText:
      'Os campos seguros do cartão, do nosso provedor de pagamento, só funcionam com JavaScript. Ative-o para esta página e recarregue-a. Ou pergunte a {org} sobre outras formas de doar.',
    footer: 'A Connect arrecada doações para {org}.',
    over: 'Esta página de doação expirou',
    overText:
      'As páginas de doação expiram após uma hora. As doações concluídas não são afetadas. Para doar de novo, volte à página de onde você veio e siga o link.',
  },
  it: {
    title: 'Dona a {org}',
    late: 'Non è stato possibile caricare il modulo. Ricarica questa pagina o chiedi a {org} come donare in altro modo.',
    needsScript: 'Questo modulo richiede JavaScript',
    needsScriptText:
      'I campi sicuri della carta del nostro servizio di pagamento funzionano solo con JavaScript. Attivalo per questa pagina, poi ricaricala. Oppure chiedi a {org} come donare in altro modo.',
    footer: 'Connect raccoglie donazioni per {org}.',
    over: 'Questa pagina di donazione è scaduta',
    overText:
      'Le pagine di donazione scadono dopo un’ora. Le donazioni completate restano valide. Per donare di nuovo, torna alla pagina di provenienza e segui il suo link.',
  },
  nl: {
    title: 'Geef aan {org}',
    late: 'Het formulier kon niet worden geladen. Laad deze pagina opnieuw of vraag {org} hoe je op een andere manier kunt geven.',
    needsScript: 'Dit formulier heeft JavaScript nodig',
    needsScriptText:
      'De beveiligde kaartvelden van onze betaaldienst werken alleen met JavaScript. Zet JavaScript aan voor deze pagina en laad de pagina opnieuw. Of vraag {org} hoe je op een andere manier kunt geven.',
    footer: 'Connect ontvangt giften voor {org}.',
    over: 'Deze donatiepagina is verlopen',
    overText:
      'Donatiepagina’s verlopen na een uur. Voltooide donaties blijven geldig. Ga om opnieuw te doneren terug naar de pagina waar je vandaan kwam en volg daar de link.',
  },
  ja: {
    title: '{org}に寄付する',
    late: 'フォームを読み込めませんでした。ページを再読み込みするか、ほかの寄付方法を{org}にお問い合わせください。',
    needsScript: 'このフォームにはJavaScriptが必要です',
    needsScriptText:
      '決済サービスの安全なカード入力欄は、JavaScriptでのみ動作します。このページでJavaScriptを有効にして、ページを再読み込みしてください。または、ほかの寄付方法を{org}にお問い合わせください。',
    footer: 'Connectが{org}への寄付を受け付けています。',
    over: 'この寄付ページは有効期限が切れています',
    overText:
      '寄付ページの有効期限は1時間です。完了した寄付に影響はありません。もう一度寄付するには、元のページに戻り、リンクを開いてください。',
  },
  zh: {
    title: '向{org}捐款',
    late: '无法加载表单。请重新加载此页面，或向{org}咨询其他捐款方式。',
    needsScript: '此表单需要 JavaScript',
    needsScriptText:
      '我们支付服务商的安全银行卡输入框只有在启用 JavaScript 后才能使用。请为此页面启用 JavaScript，然后重新加载页面；或向{org}咨询其他捐款方式。',
    footer: 'Connect 为{org}接收捐款。',
    over: '此捐款页面已过期',
    overText:
      '捐款页面在一小时后过期。已完成的捐款不受影响。如要再次捐款，请返回原来的页面并点击其中的链接。',
  },
  ar: {
    title: 'التبرع إلى {org}',
    late: 'تعذّر تحميل النموذج. يرجى إعادة تحميل هذه الصفحة أو سؤال {org} عن طرق أخرى للتبرع.',
    needsScript: 'يتطلب هذا النموذج JavaScript',
    needsScriptText:
      'لا تعمل حقول البطاقة الآمنة لدى مزوّد خدمة الدفع إلا مع JavaScript. يرجى تفعيله لهذه الصفحة ثم إعادة تحميلها، أو سؤال {org} عن طرق أخرى للتبرع.',
    footer: 'يجمع Connect التبرعات إلى {org}.',
    over: 'انتهت صلاحية صفحة التبرع هذه',
    overText:
      'تنتهي صلاحية صفحات التبرع بعد ساعة واحدة. لا يؤثر ذلك في التبرعات المكتملة. للتبرع مرة أخرى، يرجى العودة إلى الصفحة التي جئت منها وفتح رابطها.',
  },
  he: {
    title: 'תרומה לארגון {org}',
    late: 'לא ניתן היה לטעון את הטופס. נא לטעון את הדף הזה מחדש, או לברר עם {org} על דרכים אחרות לתרום.',
    needsScript: 'הטופס הזה דורש JavaScript',
    needsScriptText:
      'שדות הכרטיס המאובטחים של ספק התשלומים שלנו פועלים רק עם JavaScript. נא להפעיל אותו בדף הזה ולטעון את הדף מחדש, או לברר עם {org} על דרכים אחרות לתרום.',
    footer: 'Connect אוסף תרומות עבור {org}.',
    over: 'תוקף דף התרומה הזה פג',
    overText:
      'תוקפם של דפי תרומה פג לאחר שעה. תרומות שהושלמו אינן מושפעות מכך. כדי לתרום שוב, נא לחזור לדף שממנו הגעת וללחוץ על הקישור.',
  },
  hi: {
    title: '{org} को दान दें',
    late: 'फ़ॉर्म लोड नहीं हो सका। यह पेज दोबारा लोड करें, या {org} से दान करने के दूसरे तरीके पूछें।',
    needsScript: 'इस फ़ॉर्म के लिए JavaScript ज़रूरी है',
    needsScriptText:
      'हमारे भुगतान प्रदाता के सुरक्षित कार्ड फ़ील्ड केवल JavaScript के साथ काम करते हैं। इस पेज के लिए JavaScript चालू करें, फिर पेज दोबारा लोड करें। या {org} से दान करने के दूसरे तरीके पूछें।',
    footer: 'Connect {org} के लिए दान इकट्ठा करता है।',
    over: 'इस दान पेज की अवधि समाप्त हो गई है',
    overText:
      'दान पेज की अवधि एक घंटे बाद समाप्त हो जाती है। पूरे हो चुके दान पर इसका असर नहीं पड़ता। फिर से दान करने के लिए उस पेज पर लौटें जहाँ से आप आए थे और उसका लिंक खोलें।',
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
