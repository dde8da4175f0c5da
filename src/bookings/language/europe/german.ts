import { pluralIn, type VenueWords, type WrittenTable } from '../words.ts';

const table = ({ people, day, time }: WrittenTable) =>
  `Tisch für ${pluralIn('de', people, { one: 'Person', other: 'Personen' })} am ${day}, um ${time} Uhr`;

export const german: VenueWords = {
  locale: 'de-DE',
  voice: 'de-DE',
  table,
  messages: {
    new: (one) => `Haben Sie einen ${table(one)} frei?`,
    change: (one) => `Wäre stattdessen ein ${table(one)} möglich?`,
    reminder: (one) => `Wir warten noch auf Ihre Antwort. Haben Sie einen ${table(one)} frei?`,
    accepted: (one) => `Wir nehmen Ihr Angebot an: ${table(one)}.`,
    cancelled: (one) => `Der ${table(one)} wird nicht mehr benötigt.`,
    kept: (one) => `Es bleibt beim ${table(one)}.`,
  },
  subjects: {
    new: (one) => `Anfrage: ${table(one)}`,
    change: (one) => `Änderung möglich? ${table(one)}`,
    reminder: (one) => `Erinnerung: ${table(one)}`,
    accepted: (one) => `Danke, wir nehmen an: ${table(one)}`,
    cancelled: (one) => `Nicht mehr benötigt: ${table(one)}`,
    kept: (one) => `Es bleibt wie vereinbart: ${table(one)}`,
  },
  severalSubject: (tables, day) => `Haben Sie ${tables} Tische am ${day}, frei?`,
  forName: (name) => `Name: ${name}.`,
  withNote: (note) => `Hinweis: ${note}`,
  holdMeanwhile: (one) => `Bis zu Ihrer Antwort bleibt der ${table(one)} reserviert.`,
  answerHere: (link) => `Antworten Sie mit einem Fingertipp: ${link}`,
  answerEach: (link) => `Antworten Sie zu jedem Tisch mit einem Fingertipp: ${link}`,

  skip: 'Zum Inhalt springen',
  yourVenue: 'Ihr Lokal',
  askTitle: 'Haben Sie diesen Tisch frei?',
  changeTitle: 'Können Sie diesen Tisch ändern?',
  severalTitle: (tables, day) => `${tables} Tische am ${day}`,
  guestHolds: (one) =>
    `Der Gast hat bei Ihnen bereits einen ${table(one)}. Wenn Sie ablehnen, bleibt es dabei.`,
  guests: 'Gäste',
  name: 'Name',
  note: 'Hinweis',
  answerBy: (weekday, time) => `Bitte antworten Sie bis ${weekday}, ${time} Uhr (Ihre Ortszeit).`,
  nothingCharged: (service) =>
    `${service} fragt im Namen eines Gastes an: Es entstehen keine Kosten, und es wird keine Karte belastet.`,
  help: 'Stimmt etwas nicht, oder hat sich etwas geändert? Schreiben Sie uns, ein Mensch kümmert sich darum:',

  yes: 'Ja, wir reservieren den Tisch',
  yesChange: 'Ja, wir ändern ihn',
  no: 'Nein, wir sind ausgebucht',
  noChange: 'Nein, es bleibt wie bisher',
  otherTime: 'Andere Zeit anbieten',
  sameDay: 'Am selben Tag um',
  otherDay: 'Anderer Tag',
  time: 'Uhrzeit',
  offerThis: 'Das anbieten',
  stop: 'Bitte fragen Sie uns nicht mehr an',
  stopMeans:
    'Damit lehnen Sie den Tisch ab, und wir fragen Sie nie wieder an. Gäste sehen dann Ihren eigenen Weg zur Reservierung.',
  stopNow: 'Keine Anfragen mehr',
  undo: 'Das war ein Versehen: rückgängig machen',
  undoFor: (minutes) =>
    `Sie können das noch ${minutes === 1 ? 'eine Minute' : `${minutes} Minuten`} lang rückgängig machen.`,
  cannotKeep: 'Wir können diesen Tisch doch nicht halten',
  cannotKeepEither: 'Wir können keinen der beiden Tische halten',
  cancelMeans: 'Der Gast erfährt sofort, dass es keinen Tisch gibt. Das lässt sich nicht rückgängig machen.',
  cancelNow: 'Tisch absagen',

  staysAsItWas: (one) => `Der Tisch bleibt wie vereinbart: ${table(one)}.`,
  neverAgain: 'Wir fragen Sie nicht mehr an.',
  endings: {
    venueCancelled: {
      title: 'Der Tisch ist abgesagt',
      words: 'Der Gast erfährt, dass es keinen Tisch gibt. Sie müssen nichts weiter tun.',
    },
    withdrawn: {
      title: 'Dieser Tisch wird nicht mehr benötigt',
      words: 'Die Anfrage wurde zurückgezogen. Sie müssen nichts tun; bitte halten Sie keinen Tisch frei.',
    },
    unanswered: {
      title: 'Diese Anfrage ist beendet',
      words: 'Es kam rechtzeitig keine Antwort, und der Gast weiß Bescheid. Sie müssen nichts tun.',
    },
    booked: {
      title: 'Danke: Der Tisch ist reserviert',
      words: 'Der Gast erfährt, dass Sie zugesagt haben. Bitte halten Sie diesen Tisch frei.',
    },
    changed: {
      title: 'Danke: Der Tisch ist geändert',
      words:
        'Der Gast erfährt, dass Sie zugesagt haben. Bitte halten Sie diesen Tisch frei; der bisherige ist wieder frei.',
    },
    changeDeclined: {
      title: 'Danke: Der Tisch bleibt wie vereinbart',
      words: 'Dem Gast wurde abgesagt, was die Änderung betrifft.',
    },
    changeEnded: {
      title: 'Der Tisch bleibt wie vereinbart',
      words:
        'Aus der Änderung ist nichts geworden, und der Gast weiß es. Bitte halten Sie diesen Tisch frei.',
    },
    over: { title: 'Dieser Tisch liegt in der Vergangenheit', words: 'Der Termin ist vorbei. Vielen Dank.' },
    replaced: {
      title: 'Dieser Link gilt nicht mehr',
      words: 'Die Anfrage hat sich geändert. Der gültige Link steht in unserer neuesten Nachricht.',
    },
    offered: {
      title: 'Danke: Wir geben es weiter',
      words:
        'Der Gast erfährt von Ihrem Angebot, und wir melden uns, sobald er es annimmt. Bitte halten Sie es bis dahin frei.',
    },
    declined: {
      title: 'Danke für die Auskunft',
      words: 'Der Gast erfährt, dass es keinen Tisch gibt. Sie müssen nichts weiter tun.',
    },
    stopped: {
      title: 'Danke für die Auskunft',
      words: 'Der Gast erfährt, dass es keinen Tisch gibt. Wir fragen Sie nicht wieder an.',
    },
  },
  faults: {
    answer: 'Bitte wählen Sie Ja, Nein, eine andere Zeit oder keine Anfragen mehr. Es wurde nichts geändert.',
    day: 'Bitte geben Sie ein Datum an, zum Beispiel 2026-11-20.',
    time: 'Bitte geben Sie eine Uhrzeit an, zum Beispiel 20:15.',
    passed: 'Diese Zeit ist schon vorbei.',
    same: 'Das ist der angefragte Tisch: Bitte antworten Sie stattdessen mit Ja.',
    meanwhile:
      'Inzwischen wurde hier oder auf anderem Weg geantwortet; es gilt, was jetzt angezeigt wird. Es wurde nichts geändert.',
    oldPage:
      'Die Seite war zu alt für Ihre Antwort. Es wurde nichts geändert; bitte antworten Sie noch einmal.',
  },

  hello: (place) => `Guten Tag${place === null ? '' : `, ${place}`}. Dies ist eine Tischanfrage.`,
  keys: 'Für Ja drücken Sie die 1. Für Nein drücken Sie die 2. Um eine andere Zeit anzubieten, drücken Sie die 3, dann ruft Sie ein Mensch an.',
  silence: 'Wir haben keine Antwort gehört. Auf Wiederhören.',
  callEnded: 'Diese Anfrage ist beendet. Sie müssen nichts tun. Auf Wiederhören.',
  thanks: {
    yes: 'Vielen Dank. Der Gast erfährt, dass der Tisch reserviert ist. Auf Wiederhören.',
    no: 'Vielen Dank. Der Gast erfährt, dass es keinen Tisch gibt. Auf Wiederhören.',
    no_change:
      'Danke. Der Tisch bleibt wie vereinbart, und der Gast erfährt, dass die Änderung nicht möglich ist. Auf Wiederhören.',
    another_time: 'Vielen Dank. Ein Mensch von unserem Service ruft Sie bald an. Auf Wiederhören.',
  },
};
