import { pluralIn, type VenueWords, type WrittenTable } from '../words.ts';

/** One o'clock is singular: a la 1:30. */
const at = (time: string) => `${/^0?1[:.]/.test(time) ? 'a la' : 'a les'} ${time}`;

const table = ({ people, day, time }: WrittenTable) =>
  `una taula per a ${pluralIn('ca', people, { one: 'persona', other: 'persones' })} el ${day}, ${at(time)}`;

export const catalan: VenueWords = {
  locale: 'ca-ES',
  voice: 'ca-ES',
  table,
  messages: {
    new: (one) => `tenen ${table(one)}?`,
    change: (one) => `podria ser, en lloc d'això, ${table(one)}?`,
    reminder: (one) => `encara esperem la seva resposta. Tenen ${table(one)}?`,
    accepted: (one) => `acceptem la seva proposta: ${table(one)}.`,
    cancelled: (one) => `ja no cal: ${table(one)}.`,
    kept: (one) => `la reserva queda igual: ${table(one)}.`,
  },
  subjects: {
    new: (one) => `Tenen ${table(one)}?`,
    change: (one) => `Podria ser, en lloc d'això, ${table(one)}?`,
    reminder: (one) => `Recordatori: tenen ${table(one)}?`,
    accepted: (one) => `Gràcies, acceptem ${table(one)}`,
    cancelled: (one) => `Ja no cal: ${table(one)}`,
    kept: (one) => `La reserva queda igual: ${table(one)}`,
  },
  severalSubject: (tables, day) => `Tenen ${tables} taules el ${day}?`,
  forName: (name) => `A nom de: ${name}.`,
  withNote: (note) => `Observació: ${note}`,
  holdMeanwhile: (one) => `Fins que responguin, es manté ${table(one)}.`,
  answerHere: (link) => `Responguin amb un toc: ${link}`,
  answerEach: (link) => `Responguin a cada taula amb un toc: ${link}`,

  skip: 'Vés al contingut',
  yourVenue: 'el seu establiment',
  askTitle: 'Tenen aquesta taula?',
  changeTitle: 'Poden canviar aquesta taula?',
  severalTitle: (tables, day) => `${tables} taules el ${day}`,
  guestHolds: (one) =>
    `El client ja té a casa seva ${table(one)}. Si responen que no, aquesta reserva queda igual.`,
  guests: 'Persones',
  name: 'Nom',
  note: 'Observació',
  answerBy: (weekday, time) => `Responguin, si us plau, abans de ${weekday} ${at(time)}, hora local.`,
  nothingCharged: (service) =>
    `${service} ho demana en nom d'un client: no es cobra res ni es demana cap targeta.`,
  help: 'Hi ha cap error o ha canviat res? Escriguin-nos i una persona ho mirarà:',

  yes: 'Sí, reservem aquesta taula',
  yesChange: 'Sí, la canviem',
  no: 'No, estem complets',
  noChange: 'No, queda com estava',
  otherTime: 'Proposar una altra hora',
  sameDay: 'El mateix dia, a les',
  otherDay: 'Un altre dia',
  time: 'Hora',
  offerThis: 'Proposar',
  stop: 'Si us plau, no ens preguntin més',
  stopMeans:
    'Això rebutja la taula i no els tornarem a preguntar mai. Els clients veuran la seva pròpia manera de reservar.',
  stopNow: 'No preguntar més',
  undo: 'Ha estat un error: desfer',
  undoFor: (minutes) => `Ho poden desfer durant ${minutes === 1 ? 'un minut més' : `${minutes} minuts més`}.`,
  cannotKeep: 'Finalment no podem mantenir aquesta taula',
  cannotKeepEither: 'No podem mantenir cap de les dues taules',
  cancelMeans: "S'avisa de seguida el client que no hi ha taula. Això no es pot desfer.",
  cancelNow: 'Cancel·lar la taula',

  staysAsItWas: (one) => `La taula continua com estava: ${table(one)}.`,
  neverAgain: 'No els tornarem a preguntar.',
  endings: {
    venueCancelled: {
      title: 'La taula està cancel·lada',
      words: "S'avisa el client que no hi ha taula. No han de fer res més.",
    },
    withdrawn: {
      title: 'Aquesta taula ja no cal',
      words: "La sol·licitud s'ha retirat. No han de fer res; si us plau, no guardin la taula.",
    },
    unanswered: {
      title: 'Aquesta sol·licitud ha acabat',
      words: "No ha arribat cap resposta a temps i s'ha avisat el client. No han de fer res.",
    },
    booked: {
      title: 'Gràcies: la taula està reservada',
      words: "S'informa el client que han acceptat. Si us plau, guardin aquesta taula.",
    },
    changed: {
      title: 'Gràcies: la taula està canviada',
      words:
        "S'informa el client que han acceptat. Si us plau, guardin aquesta taula; l'anterior torna a estar lliure.",
    },
    changeDeclined: { title: 'Gràcies: la taula continua com estava', words: "S'ha dit al client que no." },
    changeEnded: {
      title: 'La taula continua com estava',
      words: "El canvi no s'ha fet i s'ha avisat el client. Si us plau, guardin aquesta taula.",
    },
    over: { title: 'Aquesta reserva ja ha passat', words: "L'hora de la taula ja ha passat. Gràcies." },
    replaced: {
      title: 'Aquest enllaç ja no és vàlid',
      words: "La sol·licitud ha canviat. L'enllaç que funciona és al nostre últim missatge.",
    },
    offered: {
      title: 'Gràcies: ho comuniquem',
      words:
        "S'informa el client de la seva proposta i els avisarem de seguida que l'accepti. Si us plau, guardin-la fins aleshores.",
    },
    declined: {
      title: 'Gràcies per avisar-nos',
      words: "S'informa el client que no hi ha taula. No han de fer res més.",
    },
    stopped: {
      title: 'Gràcies per avisar-nos',
      words: "S'informa el client que no hi ha taula. No els tornarem a preguntar.",
    },
  },
  faults: {
    answer: "Triïn sí, no, una altra hora o que deixem de preguntar. No s'ha canviat res.",
    day: 'Ha de ser una data, per exemple 2026-11-20.',
    time: 'Ha de ser una hora, per exemple 20:15.',
    passed: 'Aquesta hora ja ha passat.',
    same: 'És la taula que es demanava: responguin que sí.',
    meanwhile:
      "Mentrestant ja s'ha respost, aquí o per una altra via, i val el que es mostra ara. No s'ha canviat res.",
    oldPage:
      "La pàgina era massa antiga per rebre la seva resposta. No s'ha canviat res; tornin a respondre, si us plau.",
  },

  hello: (place) => `Bon dia${place === null ? '' : `, ${place}`}. Aquesta és una sol·licitud de taula.`,
  keys: 'Per a sí, premi 1. Per a no, premi 2. Per proposar una altra hora, premi 3 i li trucarà una persona.',
  silence: 'No hem sentit cap resposta. Adéu.',
  callEnded: 'Aquesta sol·licitud ha acabat. No ha de fer res. Adéu.',
  thanks: {
    yes: "Gràcies. S'informa el client que la taula està reservada. Adéu.",
    no: "Gràcies. S'informa el client que no hi ha taula. Adéu.",
    no_change: 'Gràcies. La taula continua com estava i es diu al client que no. Adéu.',
    another_time: 'Gràcies. Una persona del nostre equip li trucarà aviat. Adéu.',
  },
};
