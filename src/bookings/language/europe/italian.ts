import { pluralIn, type VenueWords, type WrittenTable } from '../words.ts';

const table = ({ people, day, time }: WrittenTable) =>
  `un tavolo per ${pluralIn('it', people, { one: 'persona', other: 'persone' })} ${day} alle ${time}`;

export const italian: VenueWords = {
  locale: 'it-IT',
  voice: 'it-IT',
  table,
  messages: {
    new: (one) => `avete ${table(one)}?`,
    change: (one) => `sarebbe possibile avere invece ${table(one)}?`,
    reminder: (one) => `attendiamo ancora la vostra risposta. Avete ${table(one)}?`,
    accepted: (one) => `accettiamo la vostra proposta: ${table(one)}.`,
    cancelled: (one) => `non serve più: ${table(one)}.`,
    kept: (one) => `la prenotazione resta invariata: ${table(one)}.`,
  },
  subjects: {
    new: (one) => `Avete ${table(one)}?`,
    change: (one) => `È possibile avere invece ${table(one)}?`,
    reminder: (one) => `Promemoria: avete ${table(one)}?`,
    accepted: (one) => `Grazie, accettiamo ${table(one)}`,
    cancelled: (one) => `Non serve più: ${table(one)}`,
    kept: (one) => `Prenotazione invariata: ${table(one)}`,
  },
  severalSubject: (tables, day) => `Avete ${tables} tavoli per ${day}?`,
  forName: (name) => `A nome di: ${name}.`,
  withNote: (note) => `Nota: ${note}`,
  holdMeanwhile: (one) => `Fino alla vostra risposta resta valido ${table(one)}.`,
  answerHere: (link) => `Rispondete con un tocco: ${link}`,
  answerEach: (link) => `Rispondete per ogni tavolo con un tocco: ${link}`,

  skip: 'Vai al contenuto',
  yourVenue: 'il vostro locale',
  askTitle: 'Avete questo tavolo?',
  changeTitle: 'Potete cambiare questo tavolo?',
  severalTitle: (tables, day) => `${tables} tavoli per ${day}`,
  guestHolds: (one) =>
    `Il cliente ha già da voi ${table(one)}. Se rispondete no, quella prenotazione resta invariata.`,
  guests: 'Persone',
  name: 'Nome',
  note: 'Nota',
  answerBy: (weekday, time) => `Vi preghiamo di rispondere entro ${weekday} alle ${time}, ora locale.`,
  nothingCharged: (service) =>
    `${service} chiede per conto di un cliente: non si addebita nulla e non si richiede alcuna carta.`,
  help: "C'è un errore o qualcosa è cambiato? Scriveteci e una persona se ne occuperà:",

  yes: 'Sì, teniamo questo tavolo',
  yesChange: 'Sì, lo cambiamo',
  no: 'No, siamo al completo',
  noChange: "No, resta com'era",
  otherTime: 'Proporre un altro orario',
  sameDay: 'Lo stesso giorno, alle',
  otherDay: 'Un altro giorno',
  time: 'Ora',
  offerThis: 'Proporre',
  stop: 'Non contattateci più, grazie',
  stopMeans:
    'Così rifiutate il tavolo e non vi contatteremo mai più. I clienti vedranno il vostro modo di prenotare.',
  stopNow: 'Non contattateci più',
  undo: 'È stato un errore: annulla',
  undoFor: (minutes) => `Potete annullare ancora per ${minutes === 1 ? 'un minuto' : `${minutes} minuti`}.`,
  cannotKeep: 'Purtroppo non possiamo più tenere questo tavolo',
  cannotKeepEither: 'Non possiamo tenere nessuno dei due tavoli',
  cancelMeans: "Il cliente viene avvisato subito che non c'è un tavolo. L'operazione è definitiva.",
  cancelNow: 'Disdire il tavolo',

  staysAsItWas: (one) => `Il tavolo resta com'era: ${table(one)}.`,
  neverAgain: 'Non vi chiederemo più nulla.',
  endings: {
    venueCancelled: {
      title: 'Il tavolo è disdetto',
      words: "Il cliente viene avvisato che non c'è un tavolo. Non dovete fare altro.",
    },
    withdrawn: {
      title: 'Questo tavolo non serve più',
      words: 'La richiesta è stata ritirata. Non dovete fare nulla; vi preghiamo di non tenere il tavolo.',
    },
    unanswered: {
      title: 'Questa richiesta è chiusa',
      words: 'Non è arrivata una risposta in tempo e il cliente è stato avvisato. Non dovete fare nulla.',
    },
    booked: {
      title: 'Grazie: il tavolo è prenotato',
      words: 'Il cliente viene informato che avete accettato. Vi preghiamo di tenere questo tavolo.',
    },
    changed: {
      title: 'Grazie: il tavolo è cambiato',
      words:
        'Il cliente viene informato che avete accettato. Vi preghiamo di tenere questo tavolo; quello di prima è di nuovo libero.',
    },
    changeDeclined: { title: "Grazie: il tavolo resta com'era", words: 'Al cliente è stato detto di no.' },
    changeEnded: {
      title: "Il tavolo resta com'era",
      words:
        'La modifica non è avvenuta e il cliente è stato avvisato. Vi preghiamo di tenere questo tavolo.',
    },
    over: { title: 'Questa prenotazione è passata', words: "L'ora del tavolo è trascorsa. Grazie." },
    replaced: {
      title: 'Questo link non è più valido',
      words: 'Nel frattempo la richiesta è cambiata. Il link giusto è nel nostro ultimo messaggio.',
    },
    offered: {
      title: 'Grazie: lo comunichiamo',
      words:
        'Il cliente viene informato della vostra proposta e vi avvisiamo appena la accetta. Fino ad allora vi preghiamo di tenerla.',
    },
    declined: {
      title: 'Grazie per la risposta',
      words: "Il cliente viene informato che non c'è un tavolo. Non dovete fare altro.",
    },
    stopped: {
      title: 'Grazie per la risposta',
      words: "Il cliente viene informato che non c'è un tavolo. Non vi contatteremo più.",
    },
  },
  faults: {
    answer: 'Scegliete sì, no, un altro orario o di non essere più contattati. Nulla è stato modificato.',
    day: 'Indicate una data, per esempio 2026-11-20.',
    time: "Indicate un'ora, per esempio 20:15.",
    passed: "Quest'ora è già passata.",
    same: 'È il tavolo richiesto: rispondete sì.',
    meanwhile:
      'Nel frattempo è stata data una risposta, qui o in altro modo: vale quanto mostrato ora. Nulla è stato modificato.',
    oldPage:
      'La pagina era troppo vecchia per ricevere la vostra risposta. Nulla è stato modificato; rispondete di nuovo, per favore.',
  },

  hello: (place) => `Buongiorno${place === null ? '' : `, ${place}`}. Questa è una richiesta di un tavolo.`,
  keys: 'Per sì, prema 1. Per no, prema 2. Per proporre un altro orario, prema 3: una persona La richiamerà.',
  silence: 'Non abbiamo sentito alcuna risposta. Arrivederci.',
  callEnded: 'Questa richiesta è chiusa. Non deve fare nulla. Arrivederci.',
  thanks: {
    yes: 'Grazie. Il cliente viene informato che il tavolo è prenotato. Arrivederci.',
    no: "Grazie. Il cliente viene informato che non c'è un tavolo. Arrivederci.",
    no_change: "Grazie. Il tavolo resta com'era e al cliente viene detto di no. Arrivederci.",
    another_time: 'Grazie. Una persona del nostro servizio La richiamerà presto. Arrivederci.',
  },
};
