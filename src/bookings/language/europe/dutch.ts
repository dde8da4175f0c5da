import { pluralIn, type VenueWords, type WrittenTable } from '../words.ts';

const table = ({ people, day, time }: WrittenTable) =>
  `een tafel voor ${pluralIn('nl', people, { one: 'persoon', other: 'personen' })} op ${day} om ${time} uur`;

export const dutch: VenueWords = {
  locale: 'nl-NL',
  voice: 'nl-NL',
  table,
  messages: {
    new: (one) => `heeft u ${table(one)}?`,
    change: (one) => `is in plaats daarvan ${table(one)} mogelijk?`,
    reminder: (one) => `wij wachten nog op uw antwoord. Heeft u ${table(one)}?`,
    accepted: (one) => `wij nemen uw voorstel aan: ${table(one)}.`,
    cancelled: (one) => `niet meer nodig: ${table(one)}.`,
    kept: (one) => `het blijft bij ${table(one)}.`,
  },
  subjects: {
    new: (one) => `Heeft u ${table(one)}?`,
    change: (one) => `Is in plaats daarvan ${table(one)} mogelijk?`,
    reminder: (one) => `Herinnering: heeft u ${table(one)}?`,
    accepted: (one) => `Dank u, wij nemen ${table(one)}`,
    cancelled: (one) => `Niet meer nodig: ${table(one)}`,
    kept: (one) => `Het blijft zoals het was: ${table(one)}`,
  },
  severalSubject: (tables, day) => `Heeft u ${tables} tafels op ${day}?`,
  forName: (name) => `Naam: ${name}.`,
  withNote: (note) => `Opmerking: ${note}`,
  holdMeanwhile: (one) => `Tot uw antwoord blijft ${table(one)} gereserveerd.`,
  answerHere: (link) => `Antwoord met één tik: ${link}`,
  answerEach: (link) => `Antwoord per tafel met één tik: ${link}`,

  skip: 'Naar de inhoud',
  yourVenue: 'uw zaak',
  askTitle: 'Heeft u deze tafel?',
  changeTitle: 'Kunt u deze tafel wijzigen?',
  severalTitle: (tables, day) => `${tables} tafels op ${day}`,
  guestHolds: (one) => `De gast heeft bij u al ${table(one)}. Als u nee zegt, blijft dat zo.`,
  guests: 'Personen',
  name: 'Naam',
  note: 'Opmerking',
  answerBy: (weekday, time) => `Graag antwoorden vóór ${weekday} ${time} uur, uw lokale tijd.`,
  nothingCharged: (service) =>
    `${service} vraagt dit namens een gast: er wordt niets in rekening gebracht en geen kaart gevraagd.`,
  help: 'Klopt er iets niet of is er iets veranderd? Schrijf ons, dan kijkt iemand ernaar:',

  yes: 'Ja, wij reserveren deze tafel',
  yesChange: 'Ja, wij wijzigen hem',
  no: 'Nee, wij zitten vol',
  noChange: 'Nee, het blijft zoals het was',
  otherTime: 'Andere tijd voorstellen',
  sameDay: 'Dezelfde dag, om',
  otherDay: 'Andere dag',
  time: 'Tijd',
  offerThis: 'Dit voorstellen',
  stop: 'Vraag ons alstublieft niets meer',
  stopMeans:
    'Hiermee weigert u de tafel en vragen wij u nooit meer. Gasten zien dan hoe ze rechtstreeks bij u reserveren.',
  stopNow: 'Geen aanvragen meer',
  undo: 'Dat was een vergissing: ongedaan maken',
  undoFor: (minutes) =>
    `U kunt dit nog ${minutes === 1 ? 'één minuut' : `${minutes} minuten`} ongedaan maken.`,
  cannotKeep: 'Wij kunnen deze tafel toch niet vrijhouden',
  cannotKeepEither: 'Wij kunnen geen van beide tafels vrijhouden',
  cancelMeans: 'De gast hoort meteen dat er geen tafel is. Dit kan niet ongedaan worden gemaakt.',
  cancelNow: 'Tafel annuleren',

  staysAsItWas: (one) => `De tafel blijft zoals die was: ${table(one)}.`,
  neverAgain: 'Wij vragen u niets meer.',
  endings: {
    venueCancelled: {
      title: 'De tafel is geannuleerd',
      words: 'De gast hoort dat er geen tafel is. U hoeft verder niets te doen.',
    },
    withdrawn: {
      title: 'Deze tafel is niet meer nodig',
      words: 'De aanvraag is ingetrokken. U hoeft niets te doen; houd alstublieft geen tafel vrij.',
    },
    unanswered: {
      title: 'Deze aanvraag is afgesloten',
      words: 'Er kwam niet op tijd antwoord en de gast weet dat. U hoeft niets te doen.',
    },
    booked: {
      title: 'Dank u: de tafel is gereserveerd',
      words: 'De gast hoort dat u ja heeft gezegd. Houd deze tafel alstublieft vrij.',
    },
    changed: {
      title: 'Dank u: de tafel is gewijzigd',
      words:
        'De gast hoort dat u ja heeft gezegd. Houd deze tafel alstublieft vrij; de vorige komt weer vrij.',
    },
    changeDeclined: {
      title: 'Dank u: de tafel blijft zoals die was',
      words: 'De gast heeft gehoord dat het niet kan.',
    },
    changeEnded: {
      title: 'De tafel blijft zoals die was',
      words: 'De wijziging ging niet door en de gast weet dat. Houd deze tafel alstublieft vrij.',
    },
    over: { title: 'Deze reservering is voorbij', words: 'De tijd van de tafel is verstreken. Dank u.' },
    replaced: {
      title: 'Deze link is niet meer geldig',
      words: 'De aanvraag is intussen gewijzigd. De juiste link staat in ons nieuwste bericht.',
    },
    offered: {
      title: 'Dank u: wij geven het door',
      words:
        'De gast hoort wat u voorstelt, en wij laten het u weten zodra het is aangenomen. Houd het alstublieft tot dan vrij.',
    },
    declined: {
      title: 'Dank u voor uw antwoord',
      words: 'De gast hoort dat er geen tafel is. U hoeft verder niets te doen.',
    },
    stopped: {
      title: 'Dank u voor uw antwoord',
      words: 'De gast hoort dat er geen tafel is. Wij vragen u niets meer.',
    },
  },
  faults: {
    answer: 'Kies ja, nee, een andere tijd of geen aanvragen meer. Er is niets gewijzigd.',
    day: 'Dit moet een datum zijn, bijvoorbeeld 2026-11-20.',
    time: 'Dit moet een tijd zijn, bijvoorbeeld 20:15.',
    passed: 'Deze tijd is al voorbij.',
    same: 'Dit is de gevraagde tafel: antwoord dan met ja.',
    meanwhile:
      'Intussen is er al geantwoord, hier of langs een andere weg; wat nu getoond wordt, geldt. Er is niets gewijzigd.',
    oldPage:
      'De pagina was te oud voor uw antwoord. Er is niets gewijzigd; antwoord alstublieft nog een keer.',
  },

  hello: (place) => `Goedendag${place === null ? '' : `, ${place}`}. Dit is een aanvraag voor een tafel.`,
  keys: 'Voor ja, toets 1. Voor nee, toets 2. Om een andere tijd voor te stellen, toets 3, dan belt iemand u terug.',
  silence: 'Wij hebben geen antwoord gehoord. Tot ziens.',
  callEnded: 'Deze aanvraag is afgesloten. U hoeft niets te doen. Tot ziens.',
  thanks: {
    yes: 'Dank u. De gast hoort dat de tafel is gereserveerd. Tot ziens.',
    no: 'Dank u. De gast hoort dat er geen tafel is. Tot ziens.',
    no_change: 'Dank u. De tafel blijft zoals die was en de gast hoort dat het niet kan. Tot ziens.',
    another_time: 'Dank u. Iemand van onze dienst belt u binnenkort. Tot ziens.',
  },
};
