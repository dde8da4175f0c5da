import type { VenueWords, WrittenTable } from '../words.ts';

/** On a day: the weekday takes the ending -na, as in perjantaina 20. marraskuuta. */
const on = (day: string) => day.replace(/^\p{L}+/u, '$&na');

const table = ({ people, day, time }: WrittenTable) => `pöytä ${people} hengelle ${on(day)} klo ${time}`;

export const finnish: VenueWords = {
  locale: 'fi-FI',
  voice: 'fi-FI',
  table,
  messages: {
    new: (one) => `onko teillä vapaana ${table(one)}?`,
    change: (one) => `kävisikö sen sijaan ${table(one)}?`,
    reminder: (one) => `odotamme vielä vastaustanne. Onko teillä vapaana ${table(one)}?`,
    accepted: (one) => `hyväksymme tarjouksenne: ${table(one)}.`,
    cancelled: (one) => `ei enää tarvita: ${table(one)}.`,
    kept: (one) => `varaus pysyy ennallaan: ${table(one)}.`,
  },
  subjects: {
    new: (one) => `Onko teillä vapaana ${table(one)}?`,
    change: (one) => `Kävisikö sen sijaan ${table(one)}?`,
    reminder: (one) => `Muistutus: onko teillä vapaana ${table(one)}?`,
    accepted: (one) => `Kiitos, hyväksymme: ${table(one)}`,
    cancelled: (one) => `Ei enää tarvita: ${table(one)}`,
    kept: (one) => `Pysyy ennallaan: ${table(one)}`,
  },
  severalSubject: (tables, day) => `Onko teillä ${tables} pöytää vapaana ${on(day)}?`,
  forName: (name) => `Nimi: ${name}.`,
  withNote: (note) => `Lisätieto: ${note}`,
  holdMeanwhile: (one) => `Vastaukseenne asti on voimassa ${table(one)}.`,
  answerHere: (link) => `Vastatkaa yhdellä napautuksella: ${link}`,
  answerEach: (link) => `Vastatkaa jokaiseen yhdellä napautuksella: ${link}`,

  skip: 'Siirry sisältöön',
  yourVenue: 'ravintolanne',
  askTitle: 'Onko teillä tämä pöytä vapaana?',
  changeTitle: 'Voitteko muuttaa tätä pöytää?',
  severalTitle: (tables, day) => `${tables} pöytää ${on(day)}`,
  guestHolds: (one) => `Asiakkaalla on teillä jo ${table(one)}. Jos vastaatte ei, se varaus pysyy ennallaan.`,
  guests: 'Henkilöitä',
  name: 'Nimi',
  note: 'Lisätieto',
  answerBy: (weekday, time) => `Vastatkaa viimeistään ${on(weekday)} klo ${time} paikallista aikaa.`,
  nothingCharged: (service) =>
    `${service} kysyy asiakkaan puolesta: mitään ei veloiteta eikä korttia kysytä.`,
  help: 'Onko jokin väärin tai muuttunut? Kirjoittakaa meille, niin ihminen hoitaa asian:',

  yes: 'Kyllä, varaamme tämän pöydän',
  yesChange: 'Kyllä, muutamme sen',
  no: 'Ei, olemme täynnä',
  noChange: 'Ei, se pysyy ennallaan',
  otherTime: 'Ehdota toista aikaa',
  sameDay: 'Samana päivänä klo',
  otherDay: 'Toinen päivä',
  time: 'Kellonaika',
  offerThis: 'Ehdota tätä',
  stop: 'Älkää kysykö meiltä enää',
  stopMeans:
    'Tämä hylkää pöydän, emmekä kysy teiltä enää koskaan. Asiakkaat näkevät teidän oman varaustapanne.',
  stopNow: 'Älkää kysykö enää',
  undo: 'Se oli vahinko: kumoa',
  undoFor: (minutes) =>
    `Voitte kumota vielä ${minutes === 1 ? 'yhden minuutin' : `${minutes} minuutin`} ajan.`,
  cannotKeep: 'Emme voikaan pitää tätä pöytää',
  cannotKeepEither: 'Emme voi pitää kumpaakaan pöytää',
  cancelMeans: 'Asiakas saa heti tiedon, ettei pöytää ole. Tätä ei voi kumota.',
  cancelNow: 'Peru pöytä',

  staysAsItWas: (one) => `Pöytä pysyy ennallaan: ${table(one)}.`,
  neverAgain: 'Emme kysy teiltä enää.',
  endings: {
    venueCancelled: {
      title: 'Pöytä on peruttu',
      words: 'Asiakas saa tiedon, ettei pöytää ole. Teidän ei tarvitse tehdä muuta.',
    },
    withdrawn: {
      title: 'Tätä pöytää ei enää tarvita',
      words: 'Pyyntö on peruttu. Teidän ei tarvitse tehdä mitään; älkää pitäkö pöytää varattuna.',
    },
    unanswered: {
      title: 'Tämä pyyntö on päättynyt',
      words: 'Vastausta ei tullut ajoissa, ja asiakas tietää sen. Teidän ei tarvitse tehdä mitään.',
    },
    booked: {
      title: 'Kiitos: pöytä on varattu',
      words: 'Asiakas saa tiedon, että vastasitte kyllä. Pitäkää tämä pöytä varattuna.',
    },
    changed: {
      title: 'Kiitos: pöytä on muutettu',
      words: 'Asiakas saa tiedon, että vastasitte kyllä. Pitäkää tämä pöytä varattuna; aiempi on taas vapaa.',
    },
    changeDeclined: {
      title: 'Kiitos: pöytä pysyy ennallaan',
      words: 'Asiakkaalle on kerrottu, ettei muutos onnistu.',
    },
    changeEnded: {
      title: 'Pöytä pysyy ennallaan',
      words: 'Muutosta ei tehty, ja asiakas tietää sen. Pitäkää tämä pöytä varattuna.',
    },
    over: { title: 'Tämä varaus on ohi', words: 'Varauksen aika on mennyt. Kiitos.' },
    replaced: {
      title: 'Tämä linkki ei ole enää voimassa',
      words: 'Pyyntö on muuttunut. Toimiva linkki on uusimmassa viestissämme.',
    },
    offered: {
      title: 'Kiitos: välitämme tiedon',
      words:
        'Asiakas saa tiedon ehdotuksestanne, ja ilmoitamme heti, kun se hyväksytään. Pitäkää pöytä siihen asti varattuna.',
    },
    declined: {
      title: 'Kiitos vastauksesta',
      words: 'Asiakas saa tiedon, ettei pöytää ole. Teidän ei tarvitse tehdä muuta.',
    },
    stopped: {
      title: 'Kiitos vastauksesta',
      words: 'Asiakas saa tiedon, ettei pöytää ole. Emme kysy teiltä enää.',
    },
  },
  faults: {
    answer: 'Valitkaa kyllä, ei, toinen aika tai ettemme kysy enää. Mitään ei muutettu.',
    day: 'Tämän on oltava päivämäärä, esimerkiksi 2026-11-20.',
    time: 'Tämän on oltava kellonaika, esimerkiksi 20:15.',
    passed: 'Tämä aika on jo mennyt.',
    same: 'Tämä on pyydetty pöytä: vastatkaa kyllä.',
    meanwhile:
      'Tähän on sillä välin vastattu täällä tai muuta kautta, ja nyt näkyvä on voimassa. Mitään ei muutettu.',
    oldPage: 'Sivu oli liian vanha vastauksellenne. Mitään ei muutettu; vastatkaa uudelleen.',
  },

  hello: (place) => `Hyvää päivää${place === null ? '' : `, ${place}`}. Tämä on pöytävarauspyyntö.`,
  keys: 'Jos vastaatte kyllä, painakaa 1. Jos vastaatte ei, painakaa 2. Jos haluatte ehdottaa toista aikaa, painakaa 3, niin teille soitetaan.',
  silence: 'Emme kuulleet vastausta. Kuulemiin.',
  callEnded: 'Tämä pyyntö on päättynyt. Teidän ei tarvitse tehdä mitään. Kuulemiin.',
  thanks: {
    yes: 'Kiitos. Asiakas saa tiedon, että pöytä on varattu. Kuulemiin.',
    no: 'Kiitos. Asiakas saa tiedon, ettei pöytää ole. Kuulemiin.',
    no_change: 'Kiitos. Pöytä pysyy ennallaan, ja asiakkaalle kerrotaan, ettei muutos onnistu. Kuulemiin.',
    another_time: 'Kiitos. Asiakaspalvelijamme soittaa teille pian. Kuulemiin.',
  },
};
