import type { FormTexts } from '../../internal/messages/form-texts.ts';

export const texts: FormTexts = {
  title: 'Spenden für {organization}',
  testMode: 'Testmodus',
  testModeHint: 'Es fließt kein echtes Geld.',
  frequency: 'Wie oft',
  one_time: 'Einmalig',
  monthly: 'Monatlich',
  quarterly: 'Viertel\u00adjährlich',
  yearly: 'Jährlich',
  amount: 'Betrag',
  otherAmount: 'Anderer Betrag',
  anyAmount: 'Ihr Betrag',
  amountFrom: 'Jeder Betrag ab {min}.',
  amountBetween: 'Jeder Betrag von {min} bis {max}.',
  fund: 'Wofür meine Spende ist',
  details: 'Ihre Angaben',
  name: 'Name',
  email: 'E-Mail',
  anonymous: 'Meinen Namen nicht öffentlich zeigen',
  more: 'Widmung oder Nachricht hinzufügen',
  dedication: 'Zu Ehren oder im Gedenken an',
  comment: 'Nachricht',
  card: 'Karte',
  cardNumber: 'Kartennummer',
  cardExpiry: 'Ablaufdatum',
  cardCode: 'Prüfnummer',
  required: '(erforderlich)',
  fee: '{fee} für die Kartengebühr dazugeben',
  feeOfAny: 'Die Kartengebühr dazugeben',
  feeSum: '{gift} + {fee} = {total}. Ihre {gift} kommen ganz an.',
  give: '{amount} spenden',
  giveAny: 'Spenden',
  give_monthly: '{amount} monatlich spenden',
  give_quarterly: '{amount} pro Quartal spenden',
  give_yearly: '{amount} jährlich spenden',
  secure: 'Kartendaten gehen direkt an den Zahlungsdienst, nie an diese Website.',
  connecting: 'Verbindung zum Zahlungsdienst wird hergestellt…',
  close: 'Schließen',
  loading: 'Das Spendenformular wird geladen…',
  loadFailed: 'Das Spendenformular ist gerade nicht verfügbar',
  loadFailedHint: 'Es wurde nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.',
  offline: 'Sie sind offline',
  offlineHint: 'Das Formular erscheint, sobald Sie wieder online sind.',
  retry: 'Erneut versuchen',
  unreachable:
    'Wir konnten den Server nicht erreichen. Es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.',

  giving: 'Spende von {amount} läuft…',
  pleaseWait: 'Ihre Spende wird bearbeitet. Bitte warten Sie.',
  stillWorking: 'Das dauert länger als üblich. Bitte lassen Sie diese Seite geöffnet.',
  loadingCard: 'Das Kartenformular wird geladen…',
  slowCard:
    'Das Kartenformular braucht länger als üblich. Sie können inzwischen alles andere ausfüllen.',
  waitingForCard: 'Warten auf das Kartenformular…',
  cardBlocked: 'Das Kartenformular konnte nicht geladen werden',
  cardBlockedHint:
    'Vielleicht hält ein Werbeblocker oder eine Firewall es auf. Lassen Sie es zu und versuchen Sie es erneut, oder spenden Sie auf unserer sicheren Seite.',
  hostedPage: 'Auf unserer sicheren Seite spenden',
  stillOffline: 'Sie sind offline. Es wurde nichts abgebucht, und Ihre Eingaben bleiben erhalten.',
  backOnline: 'Sie sind wieder online. Jetzt können Sie spenden.',
  checking: 'Spende läuft, nach kurzer Prüfung…',
  checkingWhy:
    'Aus Ihrem Netz kommen viele Spenden, deshalb prüfen wir diese. Das dauert einen Moment.',
  checkPerson: 'Noch ein Schritt: Bitte zeigen Sie, dass Sie ein Mensch sind.',
  checkExpired: 'Die Zeit für die Prüfung ist abgelaufen. Bitte machen Sie sie noch einmal.',
  checkFailed:
    'Die Prüfung war nicht möglich. Es wurde nichts abgebucht. Versuchen Sie es erneut, oder spenden Sie auf unserer sicheren Seite.',
  checkBack: 'Zurück zum Formular',
  busy: 'Gerade spenden viele Menschen. Es wurde nichts abgebucht.',
  busyWait: 'Nächster Versuch in {seconds}.',
  problems: {
    one: 'Bitte prüfen Sie eine Angabe',
    other: 'Bitte prüfen Sie {count} Angaben',
  },
  chooseAmount: 'Wählen Sie einen Betrag oder geben Sie einen eigenen ein.',
  chooseLocked: 'Wählen Sie einen Betrag.',
  badAmount: 'Geben Sie einen Betrag ein, zum Beispiel {example}.',
  tooSmall: 'Die kleinste Spende ist {min}.',
  tooLarge: 'Die größte Spende ist {max}.',
  badSum: 'Dieser Betrag kann hier nicht gespendet werden. Wählen Sie einen anderen.',
  missingName: 'Geben Sie Ihren Namen ein.',
  badName: 'Geben Sie Ihren Namen kürzer oder einfacher ein.',
  missingEmail: 'Geben Sie Ihre E-Mail-Adresse ein.',
  missingCard: 'Geben Sie Ihre Kartendaten ein.',
  badEmail: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.org.',
  thanks: 'Danke, {name}',
  thanksAll: 'Danke',
  thanksText: 'Ihre Spende von {amount} an {organization} ist abgeschlossen.',
  pending: 'Ihre Spende ist unterwegs',
  pendingText:
    'Ihre Bank bearbeitet Ihre Spende von {amount} an {organization} noch. Sie brauchen nichts weiter zu tun.',
  plan_monthly:
    'Das war die erste Spende Ihrer monatlichen Unterstützung. Die nächste folgt von selbst.',
  plan_quarterly:
    'Das war die erste Spende Ihrer vierteljährlichen Unterstützung. Die nächste folgt von selbst.',
  plan_yearly:
    'Das war die erste Spende Ihrer jährlichen Unterstützung. Die nächste folgt von selbst.',
  planLink: 'Über den Link im Beleg können Sie Ihre Unterstützung ändern, pausieren oder beenden.',
  receipt: 'Der Beleg geht an {email}.',
  questions: 'Fragen? Schreiben Sie der Organisation und nennen Sie die Referenz.',
  fundName: 'Verwendungszweck',
  campaignName: 'Kampagne',
  nextPayment: 'Nächste Zahlung',
  date: 'Datum',
  reference: 'Referenz',
  print: 'Drucken',
  again: 'Noch einmal spenden',
  share: 'Teilen',
  linkCopied: 'Link kopiert',
  copyLink: 'Kopieren Sie diesen Link',
  monthlyOffer:
    'Möchten Sie jeden Monat {amount} spenden? Sie bestätigen es im nächsten Schritt; vorher wird nichts abgebucht.',
  makeMonthly: 'Monatlich spenden',
  monthlyStarts:
    'Ihre Spende von {amount} ist abgeschlossen. Ihre monatliche Spende beginnt, wenn Sie auf Spenden drücken: Die erste Zahlung erfolgt heute, danach jeden Monat eine.',
  incomplete: 'Prüfen Sie die Kartendaten oben.',
  later: 'Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  refused: 'Diese Spende konnte nicht begonnen werden. Es wurde nichts abgebucht.',
  unknown:
    'Wir konnten nicht feststellen, ob Ihre Spende angekommen ist. Bitte drücken Sie noch einmal auf Spenden: Wir sehen zuerst nach, und es wird nicht doppelt abgebucht.',
  resumed:
    'Ihre letzte Spende wurde nicht abgeschlossen, und es wurde nichts abgebucht. Sie können dort weitermachen, wo Sie waren.',
  elsewhere:
    'In einem anderen Tab dieser Seite läuft gerade eine Spende. Wir warten darauf, damit nicht doppelt abgebucht wird.',
  repeated:
    'Sie haben gerade eben in einem anderen Tab {amount} gespendet. Um noch einmal zu spenden, drücken Sie erneut auf Spenden.',
  waiting:
    'Eine Spende von {amount} wartet in einem anderen Tab auf Ihre Bank. Schließen Sie sie dort ab. Um auch diese zu machen, drücken Sie erneut auf Spenden.',
  canceled:
    'Diese Zahlung wurde abgebrochen. Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
  insufficient_funds:
    'Die Karte ist für diese Spende nicht gedeckt. Versuchen Sie einen kleineren Betrag oder eine andere Karte.',
  expired_card:
    'Die Karte ist abgelaufen. Prüfen Sie das Ablaufdatum oder nehmen Sie eine andere Karte.',
  incorrect_cvc:
    'Die Prüfnummer stimmt nicht. Prüfen Sie die Nummer auf Ihrer Karte und versuchen Sie es erneut.',
  incorrect_number:
    'Die Kartennummer stimmt nicht. Prüfen Sie die Nummer und versuchen Sie es erneut.',
  incorrect_zip:
    'Die Postleitzahl passt nicht zur Karte. Prüfen Sie sie und versuchen Sie es erneut.',
  processing_error:
    'Die Karte konnte gerade nicht belastet werden. Warten Sie einen Moment und versuchen Sie es erneut.',
  payment_intent_authentication_failure:
    'Ihre Bank konnte nicht bestätigen, dass Sie es sind. Versuchen Sie es erneut oder nehmen Sie eine andere Karte.',
  authentication_required:
    'Ihre Bank möchte, dass Sie sich ausweisen. Versuchen Sie es erneut und folgen Sie ihren Schritten, oder nehmen Sie eine andere Karte.',
  generic_decline:
    'Die Karte wurde abgelehnt. Versuchen Sie eine andere Karte oder fragen Sie Ihre Bank nach dem Grund.',
  undecided:
    'Die Spende ging nicht durch, und es wurde nichts abgebucht. Prüfen Sie die Karte und drücken Sie noch einmal auf Spenden.',
};
