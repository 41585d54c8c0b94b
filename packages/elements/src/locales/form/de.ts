import type { FormMessages } from '../../internal/messages/form-texts.ts';

export const texts: FormMessages = {
  title: 'Spenden für {organization}',
  testMode: 'Testmodus',
  testModeHint: 'Es wird nichts abgebucht.',
  frequency: 'Spendenrhythmus',
  one_time: 'Einmalig',
  monthly: 'Monatlich',
  quarterly: 'Viertel\u00adjährlich',
  yearly: 'Jährlich',
  amount: 'Betrag',
  otherAmount: 'Anderer Betrag',
  anyAmount: 'Ihr Betrag',
  amountFrom: 'Jeder Betrag ab {min}.',
  amountBetween: 'Jeder Betrag von {min} bis {max}.',
  fund: 'Meine Spende verwenden für',
  details: 'Ihre Angaben',
  name: 'Name',
  email: 'E-Mail',
  anonymous: 'Meinen Namen nicht veröffentlichen',
  more: 'Widmung oder Nachricht hinzufügen',
  dedication: 'Zu Ehren von oder im Gedenken an',
  comment: 'Nachricht',
  card: 'Karte',
  cardNumber: 'Kartennummer',
  cardExpiry: 'Ablaufdatum',
  cardCode: 'Prüfnummer',
  required: '(erforderlich)',
  fee: 'Kartengebühr von {fee} übernehmen',
  feeOfAny: 'Kartengebühr übernehmen',
  feeSum: '{gift} + {fee} = {total}. Die Organisation erhält die vollen {gift}.',
  give: '{amount} spenden',
  giveAny: 'Spenden',
  give_monthly: '{amount} monatlich spenden',
  give_quarterly: '{amount} pro Quartal spenden',
  give_yearly: '{amount} jährlich spenden',
  secure: 'Kartendaten gehen direkt an unseren Zahlungsdienst, nie an diese Website.',
  connecting: 'Verbindung zu unserem Zahlungsdienst wird hergestellt…',
  close: 'Schließen',
  loading: 'Das Spendenformular wird geladen…',
  loadFailed: 'Das Spendenformular ist gerade nicht verfügbar',
  loadFailedHint: 'Es wurde nichts abgebucht. Versuchen Sie es gleich noch einmal.',
  offline: 'Sie sind offline',
  offlineHint: 'Das Formular erscheint, sobald Sie wieder online sind.',
  retry: 'Erneut versuchen',
  unreachable:
    'Der Server ist nicht erreichbar. Es wurde nichts abgebucht. Versuchen Sie es noch einmal.',

  giving: 'Spende von {amount} wird verarbeitet…',
  pleaseWait: 'Ihre Spende wird verarbeitet. Bitte warten Sie.',
  stillWorking: 'Das dauert länger als üblich. Bitte lassen Sie diese Seite geöffnet.',
  loadingCard: 'Das Kartenformular wird geladen…',
  slowCard:
    'Das Kartenformular braucht länger als üblich. Sie können inzwischen alles andere ausfüllen.',
  waitingForCard: 'Warten auf das Kartenformular…',
  cardBlocked: 'Das Kartenformular konnte nicht geladen werden',
  cardBlockedHint:
    'Möglicherweise blockiert ein Inhaltsblocker oder eine Firewall das Formular. Lassen Sie es zu und versuchen Sie es erneut, oder spenden Sie auf unserer sicheren Seite.',
  hostedPage: 'Auf unserer sicheren Seite spenden',
  stillOffline: 'Sie sind offline. Es wurde nichts abgebucht, und Ihre Eingaben bleiben erhalten.',
  backOnline: 'Sie sind wieder online. Jetzt können Sie spenden.',
  checking: 'Sicherheitsprüfung läuft…',
  checkingWhy:
    'Aus Ihrem Netzwerk kommen gerade viele Spenden, deshalb prüfen wir diese. Das dauert einen Moment.',
  checkPerson: 'Noch ein Schritt: Bestätigen Sie, dass Sie ein Mensch sind.',
  checkExpired: 'Die Prüfung ist abgelaufen. Versuchen Sie es erneut.',
  checkFailed:
    'Die Prüfung konnte nicht abgeschlossen werden. Es wurde nichts abgebucht. Versuchen Sie es erneut, oder spenden Sie auf unserer sicheren Seite.',
  checkBack: 'Zurück zum Formular',
  busy: 'Gerade spenden viele Menschen. Es wurde nichts abgebucht.',
  busyWait: 'Nächster Versuch in {seconds}.',
  problems: { one: 'Prüfen Sie ein Feld', other: 'Prüfen Sie {count} Felder' },
  chooseAmount: 'Wählen Sie einen Betrag oder geben Sie einen eigenen ein.',
  chooseLocked: 'Wählen Sie einen Betrag.',
  badAmount: 'Geben Sie einen Betrag ein, zum Beispiel {example}.',
  tooSmall: 'Der Mindestbetrag ist {min}.',
  tooLarge: 'Der Höchstbetrag ist {max}.',
  badSum: 'Dieser Betrag wird nicht angenommen. Wählen Sie einen anderen.',
  missingName: 'Geben Sie Ihren Namen ein.',
  badName: 'Geben Sie einen kürzeren oder einfacheren Namen ein.',
  missingEmail: 'Geben Sie Ihre E-Mail-Adresse ein.',
  missingCard: 'Geben Sie Ihre Kartendaten ein.',
  badEmail: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.org.',
  thanks: 'Danke, {name}',
  thanksAll: 'Danke',
  thanksText: 'Ihre Spende von {amount} an {organization} ist abgeschlossen.',
  pending: 'Ihre Spende wird verarbeitet',
  pendingText:
    'Ihre Bank verarbeitet Ihre Spende von {amount} an {organization} noch. Sie müssen nichts weiter tun.',
  plan_monthly: 'Das war Ihre erste monatliche Spende. Die nächste wird automatisch abgebucht.',
  plan_quarterly:
    'Das war Ihre erste vierteljährliche Spende. Die nächste wird automatisch abgebucht.',
  plan_yearly: 'Das war Ihre erste jährliche Spende. Die nächste wird automatisch abgebucht.',
  planLink:
    'Über den Link in Ihrem Beleg können Sie Ihre Dauerspende ändern, pausieren oder beenden.',
  receipt: 'Ihr Beleg wird an {email} gesendet.',
  questions: 'Fragen? Wenden Sie sich an die Organisation und geben Sie die Referenz an.',
  fundName: 'Verwendungszweck',
  campaignName: 'Kampagne',
  nextPayment: 'Nächste Zahlung',
  date: 'Datum',
  reference: 'Referenz',
  print: 'Drucken',
  again: 'Noch einmal spenden',
  share: 'Teilen',
  linkCopied: 'Link kopiert',
  copyLink: 'Diesen Link kopieren',
  monthlyOffer:
    'Möchten Sie jeden Monat {amount} spenden? Sie bestätigen es im nächsten Schritt; vorher wird nichts abgebucht.',
  makeMonthly: 'Monatlich spenden',
  monthlyStarts:
    'Ihre Spende von {amount} ist abgeschlossen. Klicken Sie auf „Spenden“, um Ihre monatliche Spende zu starten: Die erste Zahlung erfolgt heute, danach jeden Monat eine.',
  incomplete: 'Prüfen Sie die Kartendaten oben.',
  later: 'Versuchen Sie es in ein paar Minuten noch einmal.',
  refused: 'Wir konnten diese Spende nicht verarbeiten. Es wurde nichts abgebucht.',
  unknown:
    'Wir konnten nicht feststellen, ob Ihre Spende erfolgreich war. Klicken Sie noch einmal auf „Spenden“: Wir prüfen das zuerst, damit nicht doppelt abgebucht wird.',
  resumed:
    'Ihre letzte Spende wurde nicht abgeschlossen, und es wurde nichts abgebucht. Sie können dort weitermachen, wo Sie aufgehört haben.',
  elsewhere:
    'In einem anderen Tab wird gerade eine Spende verarbeitet. Wir warten darauf, damit nicht doppelt abgebucht wird.',
  repeated:
    'Sie haben gerade in einem anderen Tab {amount} gespendet. Um noch einmal zu spenden, klicken Sie erneut auf „Spenden“.',
  waiting:
    'Eine Spende von {amount} wartet in einem anderen Tab auf die Bestätigung Ihrer Bank. Schließen Sie sie dort ab. Um auch diese Spende auszuführen, klicken Sie erneut auf „Spenden“.',
  canceled:
    'Diese Zahlung wurde abgebrochen. Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
  insufficient_funds:
    'Die Karte ist für diese Spende nicht gedeckt. Versuchen Sie einen kleineren Betrag oder eine andere Karte.',
  expired_card:
    'Die Karte ist abgelaufen. Prüfen Sie das Ablaufdatum oder verwenden Sie eine andere Karte.',
  incorrect_cvc:
    'Die Prüfnummer ist falsch. Prüfen Sie die Nummer auf Ihrer Karte und versuchen Sie es erneut.',
  incorrect_number:
    'Die Kartennummer ist falsch. Prüfen Sie die Nummer und versuchen Sie es erneut.',
  incorrect_zip:
    'Die Postleitzahl passt nicht zur Karte. Prüfen Sie sie und versuchen Sie es erneut.',
  processing_error:
    'Die Karte konnte nicht belastet werden. Warten Sie einen Moment und versuchen Sie es erneut.',
  payment_intent_authentication_failure:
    'Ihre Bank konnte Ihre Identität nicht bestätigen. Versuchen Sie es erneut oder verwenden Sie eine andere Karte.',
  authentication_required:
    'Ihre Bank muss Ihre Identität prüfen. Versuchen Sie es erneut und folgen Sie den Anweisungen der Bank, oder verwenden Sie eine andere Karte.',
  generic_decline:
    'Die Karte wurde abgelehnt. Versuchen Sie eine andere Karte oder fragen Sie Ihre Bank nach dem Grund.',
  undecided:
    'Ihre Spende war nicht erfolgreich, und es wurde nichts abgebucht. Prüfen Sie die Karte und klicken Sie noch einmal auf „Spenden“.',
};
