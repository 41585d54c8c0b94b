import type { FormTexts } from '../../internal/messages/form-texts.ts';

export const texts: FormTexts = {
  title: 'Sostieni {organization}',
  testMode: 'Modalità di prova',
  testModeHint: 'Non si muove denaro vero.',
  frequency: 'Con quale frequenza',
  one_time: 'Una volta',
  monthly: 'Ogni mese',
  quarterly: 'Ogni trimestre',
  yearly: 'Ogni anno',
  amount: 'Importo',
  otherAmount: 'Altro importo',
  anyAmount: 'Il tuo importo',
  amountFrom: 'Qualsiasi importo da {min}.',
  amountBetween: 'Qualsiasi importo da {min} a {max}.',
  fund: 'Destina la mia donazione a',
  details: 'I tuoi dati',
  name: 'Nome',
  email: 'E-mail',
  anonymous: 'Non mostrare il mio nome in pubblico',
  more: 'Aggiungi una dedica o un messaggio',
  dedication: 'In onore o in memoria di',
  comment: 'Messaggio',
  card: 'Carta',
  cardNumber: 'Numero della carta',
  cardExpiry: 'Data di scadenza',
  cardCode: 'Codice di sicurezza',
  required: '(obbligatorio)',
  fee: 'Aggiungi {fee} per la commissione della carta',
  feeOfAny: 'Aggiungi la commissione della carta',
  feeSum: '{gift} + {fee} = {total}. I tuoi {gift} arrivano per intero.',
  give: 'Dona {amount}',
  giveAny: 'Dona',
  give_monthly: 'Dona {amount} al mese',
  give_quarterly: 'Dona {amount} a trimestre',
  give_yearly: 'Dona {amount} all’anno',
  secure: 'I dati della carta vanno direttamente al gestore dei pagamenti, mai a questo sito.',
  close: 'Chiudi',
  loading: 'Caricamento del modulo di donazione…',
  loadFailed: 'Il modulo di donazione non è disponibile in questo momento',
  loadFailedHint: 'Non è stato addebitato nulla. Riprova tra un momento.',
  offline: 'Sei offline',
  offlineHint: 'Il modulo comparirà appena tornerai online.',
  retry: 'Riprova',
  unreachable: 'Non siamo riusciti a raggiungere il server. Non è stato addebitato nulla. Riprova.',

  giving: 'Donazione di {amount} in corso…',
  pleaseWait: 'La tua donazione è in elaborazione. Attendi, per favore.',
  loadingCard: 'Caricamento del modulo della carta…',
  cardBlocked: 'Non è stato possibile caricare il modulo della carta',
  cardBlockedHint:
    'Forse un blocco dei contenuti o un firewall lo impedisce. Consentilo e riprova, oppure dona sulla nostra pagina sicura.',
  hostedPage: 'Dona sulla nostra pagina sicura',
  stillOffline: 'Sei offline. Non è stato addebitato nulla e ciò che hai scritto resta.',
  backOnline: 'Sei di nuovo online. Ora puoi donare.',
  checking: 'Donazione in corso, dopo un breve controllo…',
  checkingWhy:
    'Dalla tua rete arrivano molte donazioni, quindi controlliamo questa. Ci vuole un momento.',
  checkPerson: 'Ancora un passo: mostra di essere una persona.',
  checkExpired: 'Il tempo per la verifica è scaduto. Falla ancora una volta.',
  checkFailed:
    'La verifica non è riuscita. Non è stato addebitato nulla. Riprova, oppure dona sulla nostra pagina sicura.',
  checkBack: 'Torna al modulo',
  busy: 'Molte persone stanno donando in questo momento. Non è stato addebitato nulla.',
  busyWait: 'Riproviamo tra {seconds}.',
  problems: {
    one: 'Controlla un dato, per favore',
    other: 'Controlla {count} dati, per favore',
  },
  chooseAmount: 'Scegli un importo o scrivi il tuo.',
  chooseLocked: 'Scegli un importo.',
  badAmount: 'Scrivi un importo, per esempio {example}.',
  tooSmall: 'La donazione minima è di {min}.',
  tooLarge: 'La donazione massima è di {max}.',
  badSum: 'Questo importo non si può donare qui. Scegline un altro.',
  missingName: 'Scrivi il tuo nome.',
  badName: 'Scrivi il tuo nome in una forma più breve o più semplice.',
  missingEmail: 'Scrivi il tuo indirizzo e-mail.',
  badEmail: 'Scrivi un indirizzo e-mail, per esempio name@example.org.',
  thanks: 'Grazie, {name}',
  thanksAll: 'Grazie',
  thanksText: 'La tua donazione di {amount} a {organization} è completata.',
  pending: 'La tua donazione è in viaggio',
  pendingText:
    'La tua banca sta ancora elaborando la tua donazione di {amount} a {organization}. Non devi fare altro.',
  plan_monthly:
    'Questa era la prima donazione del tuo sostegno mensile. La prossima arriverà da sola.',
  plan_quarterly:
    'Questa era la prima donazione del tuo sostegno trimestrale. La prossima arriverà da sola.',
  plan_yearly:
    'Questa era la prima donazione del tuo sostegno annuale. La prossima arriverà da sola.',
  receipt: 'La ricevuta sta arrivando a {email}.',
  next: 'Domande? Scrivi all’organizzazione da {email} indicando il riferimento.',
  date: 'Data',
  reference: 'Riferimento',
  print: 'Stampa',
  again: 'Fai un’altra donazione',
  incomplete: 'Controlla i dati della carta qui sopra.',
  later: 'Riprova tra qualche minuto.',
  refused: 'Non è stato possibile avviare questa donazione. Non è stato addebitato nulla.',
  unknown:
    'Non siamo riusciti a sapere se la tua donazione è andata a buon fine. Premi di nuovo Dona: prima controlliamo, e non ti verrà addebitata due volte.',
  resumed:
    'La tua ultima donazione non è stata completata e non è stato addebitato nulla. Puoi riprendere da dove eri.',
  elsewhere:
    'Un’altra scheda di questa pagina sta facendo una donazione proprio ora. La aspettiamo, così non ti viene addebitata due volte.',
  repeated:
    'Hai donato {amount} un momento fa in un’altra scheda. Per donare ancora una volta, premi di nuovo Dona.',
  waiting:
    'Una donazione di {amount} aspetta la tua banca in un’altra scheda. Completala lì. Per fare anche questa, premi di nuovo Dona.',
  canceled: 'Questo pagamento è stato annullato. Non è stato addebitato nulla. Puoi riprovare.',
  insufficient_funds:
    'La carta non ha fondi sufficienti per questa donazione. Prova un importo più piccolo o un’altra carta.',
  expired_card: 'La carta è scaduta. Controlla la data di scadenza o usa un’altra carta.',
  incorrect_cvc:
    'Il codice di sicurezza non è corretto. Controlla il codice sulla tua carta e riprova.',
  incorrect_number: 'Il numero della carta non è corretto. Controlla il numero e riprova.',
  processing_error:
    'In questo momento non è stato possibile elaborare la carta. Aspetta un attimo e riprova.',
  payment_intent_authentication_failure:
    'La tua banca non ha potuto confermare che sei tu. Riprova o usa un’altra carta.',
  authentication_required:
    'La tua banca ti chiede di confermare che sei tu. Riprova e segui i suoi passaggi, o usa un’altra carta.',
  generic_decline:
    'La carta è stata rifiutata. Prova un’altra carta o chiedi il motivo alla tua banca.',
  undecided:
    'La donazione non è andata a buon fine e non è stato addebitato nulla. Controlla la carta e premi di nuovo Dona.',
};
