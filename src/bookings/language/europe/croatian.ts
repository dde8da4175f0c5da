import { pluralIn, type VenueWords, type WrittenTable } from '../words.ts';

const table = ({ people, day, time }: WrittenTable) =>
  `stol za ${pluralIn('hr', people, { one: 'osobu', few: 'osobe', other: 'osoba' })}, ${day}, u ${time} sati`;

const tables = (count: number) => pluralIn('hr', count, { one: 'stol', few: 'stola', other: 'stolova' });

const minutesMore = (minutes: number) =>
  pluralIn('hr', minutes, { one: 'minutu', few: 'minute', other: 'minuta' });

export const croatian: VenueWords = {
  locale: 'hr-HR',
  voice: null,
  table,
  messages: {
    new: (one) => `imate li slobodan ${table(one)}?`,
    change: (one) => `bi li umjesto toga bio moguć ${table(one)}?`,
    reminder: (one) => `još čekamo vaš odgovor. Imate li slobodan ${table(one)}?`,
    accepted: (one) => `prihvaćamo vašu ponudu: ${table(one)}.`,
    cancelled: (one) => `više nije potreban: ${table(one)}.`,
    kept: (one) => `rezervacija ostaje kakva je bila: ${table(one)}.`,
  },
  subjects: {
    new: (one) => `Imate li slobodan ${table(one)}?`,
    change: (one) => `Je li moguća promjena? ${table(one)}`,
    reminder: (one) => `Podsjetnik: imate li slobodan ${table(one)}?`,
    accepted: (one) => `Hvala, prihvaćamo: ${table(one)}`,
    cancelled: (one) => `Više nije potreban: ${table(one)}`,
    kept: (one) => `Ostaje kako je bilo: ${table(one)}`,
  },
  severalSubject: (count, day) => `Imate li ${tables(count)} (${day})?`,
  forName: (name) => `Ime: ${name}.`,
  withNote: (note) => `Napomena: ${note}`,
  holdMeanwhile: (one) => `Do vašeg odgovora ostaje rezerviran ${table(one)}.`,
  answerHere: (link) => `Odgovorite jednim dodirom: ${link}`,
  answerEach: (link) => `Odgovorite za svaki stol jednim dodirom: ${link}`,

  skip: 'Prijeđi na sadržaj',
  yourVenue: 'vaš objekt',
  askTitle: 'Imate li ovaj stol?',
  changeTitle: 'Možete li promijeniti ovaj stol?',
  severalTitle: (count, day) => `${tables(count)}, ${day}`,
  guestHolds: (one) => `Gost kod vas već ima: ${table(one)}. Ako odbijete, ta rezervacija ostaje.`,
  guests: 'Broj osoba',
  name: 'Ime',
  note: 'Napomena',
  answerBy: (weekday, time) => `Rok za odgovor: ${weekday}, ${time} (po vašem vremenu).`,
  nothingCharged: (service) => `${service} pita u ime gosta: ništa se ne naplaćuje i ne traži se kartica.`,
  help: 'Nešto nije u redu ili se promijenilo? Pišite nam, netko od naših ljudi će to pogledati:',

  yes: 'Da, rezerviramo ovaj stol',
  yesChange: 'Da, promijenit ćemo ga',
  no: 'Ne, popunjeni smo',
  noChange: 'Ne, ostaje kako je bilo',
  otherTime: 'Ponudite drugo vrijeme',
  sameDay: 'Isti dan, u',
  otherDay: 'Drugi dan',
  time: 'Vrijeme',
  offerThis: 'Ponudite ovo',
  stop: 'Molimo da nas više ne pitate',
  stopMeans:
    'Time odbijate stol i više vas nikada nećemo pitati. Gosti će vidjeti vaš vlastiti način rezervacije.',
  stopNow: 'Ne pitajte nas više',
  undo: 'To je bila pogreška: poništi',
  undoFor: (minutes) => `Možete poništiti još ${minutesMore(minutes)}.`,
  cannotKeep: 'Ipak ne možemo zadržati ovaj stol',
  cannotKeepEither: 'Ne možemo zadržati nijedan od dva stola',
  cancelMeans: 'Gost odmah saznaje da nema stola. To se ne može poništiti.',
  cancelNow: 'Otkaži stol',

  staysAsItWas: (one) => `Stol ostaje kako je bilo: ${table(one)}.`,
  neverAgain: 'Više vas nećemo pitati.',
  endings: {
    venueCancelled: {
      title: 'Stol je otkazan',
      words: 'Gost će saznati da nema stola. Ne morate učiniti ništa više.',
    },
    withdrawn: {
      title: 'Ovaj stol više nije potreban',
      words: 'Upit je povučen. Ne morate učiniti ništa; molimo da ne čuvate stol.',
    },
    unanswered: {
      title: 'Ovaj je upit završen',
      words: 'Odgovor nije stigao na vrijeme i gost to zna. Ne morate učiniti ništa.',
    },
    booked: {
      title: 'Hvala: stol je rezerviran',
      words: 'Gost će saznati da ste pristali. Molimo da sačuvate ovaj stol.',
    },
    changed: {
      title: 'Hvala: stol je promijenjen',
      words: 'Gost će saznati da ste pristali. Molimo da sačuvate ovaj stol; prijašnji je opet slobodan.',
    },
    changeDeclined: {
      title: 'Hvala: stol ostaje kako je bilo',
      words: 'Gostu je rečeno da promjena nije moguća.',
    },
    changeEnded: {
      title: 'Stol ostaje kako je bilo',
      words: 'Od promjene nije bilo ništa i gost to zna. Molimo da sačuvate ovaj stol.',
    },
    over: { title: 'Ova je rezervacija prošla', words: 'Vrijeme stola je prošlo. Hvala.' },
    replaced: {
      title: 'Ova poveznica više ne vrijedi',
      words: 'Upit se u međuvremenu promijenio. Ispravna poveznica je u našoj najnovijoj poruci.',
    },
    offered: {
      title: 'Hvala: prenosimo dalje',
      words:
        'Gost će saznati što nudite, a mi ćemo vam javiti čim prihvati. Molimo da ponudu čuvate do tada.',
    },
    declined: {
      title: 'Hvala na odgovoru',
      words: 'Gost će saznati da nema stola. Ne morate učiniti ništa više.',
    },
    stopped: { title: 'Hvala na odgovoru', words: 'Gost će saznati da nema stola. Više vas nećemo pitati.' },
  },
  faults: {
    answer: 'Odaberite da, ne, drugo vrijeme ili da vas više ne pitamo. Ništa nije promijenjeno.',
    day: 'Ovo mora biti datum, na primjer 2026-11-20.',
    time: 'Ovo mora biti vrijeme, na primjer 20:15.',
    passed: 'To je vrijeme već prošlo.',
    same: 'To je stol koji se traži: molimo odgovorite da.',
    meanwhile:
      'U međuvremenu je odgovoreno, ovdje ili na drugi način, i vrijedi ono što je sada prikazano. Ništa nije promijenjeno.',
    oldPage: 'Stranica je bila prestara za vaš odgovor. Ništa nije promijenjeno; molimo odgovorite ponovno.',
  },

  hello: (place) => `Dobar dan${place === null ? '' : `, ${place}`}. Ovo je upit za stol.`,
  keys: 'Za da pritisnite 1. Za ne pritisnite 2. Da ponudite drugo vrijeme, pritisnite 3 i nazvat će vas naš djelatnik.',
  silence: 'Nismo čuli odgovor. Doviđenja.',
  callEnded: 'Ovaj je upit završen. Ne morate učiniti ništa. Doviđenja.',
  thanks: {
    yes: 'Hvala. Gost će saznati da je stol rezerviran. Doviđenja.',
    no: 'Hvala. Gost će saznati da nema stola. Doviđenja.',
    no_change: 'Hvala. Stol ostaje kako je bilo, a gost će saznati da promjena nije moguća. Doviđenja.',
    another_time: 'Hvala. Uskoro će vas nazvati naš djelatnik. Doviđenja.',
  },
};
