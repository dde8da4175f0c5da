import { pluralIn, type VenueWords, type WrittenTable } from '../words.ts';

const table = ({ people, day, time }: WrittenTable) =>
  `une table pour ${pluralIn('fr', people, { one: 'personne', other: 'personnes' })} le ${day} à ${time}`;

export const french: VenueWords = {
  locale: 'fr-FR',
  voice: 'fr-FR',
  table,
  messages: {
    new: (one) => `avez-vous ${table(one)} ?`,
    change: (one) => `serait-il possible d'avoir plutôt ${table(one)} ?`,
    reminder: (one) => `nous attendons encore votre réponse. Avez-vous ${table(one)} ?`,
    accepted: (one) => `nous acceptons votre proposition : ${table(one)}.`,
    cancelled: (one) => `la demande est annulée : ${table(one)}.`,
    kept: (one) => `la réservation reste inchangée : ${table(one)}.`,
  },
  subjects: {
    new: (one) => `Avez-vous ${table(one)} ?`,
    change: (one) => `Changement possible ? Plutôt ${table(one)}`,
    reminder: (one) => `Rappel : avez-vous ${table(one)} ?`,
    accepted: (one) => `Merci, nous acceptons : ${table(one)}`,
    cancelled: (one) => `Demande annulée : ${table(one)}`,
    kept: (one) => `Réservation inchangée : ${table(one)}`,
  },
  severalSubject: (tables, day) => `Avez-vous ${tables} tables le ${day} ?`,
  forName: (name) => `Au nom de : ${name}.`,
  withNote: (note) => `Remarque : ${note}`,
  holdMeanwhile: (one) => `Jusqu'à votre réponse, vous gardez ${table(one)}.`,
  answerHere: (link) => `Répondez en un geste : ${link}`,
  answerEach: (link) => `Répondez pour chaque table en un geste : ${link}`,

  skip: 'Aller au contenu',
  yourVenue: 'votre établissement',
  askTitle: 'Avez-vous cette table ?',
  changeTitle: 'Pouvez-vous modifier cette table ?',
  severalTitle: (tables, day) => `${tables} tables le ${day}`,
  guestHolds: (one) =>
    `Le client a déjà ${table(one)} chez vous. Si vous refusez, cette réservation reste inchangée.`,
  guests: 'Personnes',
  name: 'Nom',
  note: 'Remarque',
  answerBy: (weekday, time) => `Merci de répondre avant ${weekday} à ${time}, heure locale.`,
  nothingCharged: (service) =>
    `${service} fait cette demande pour un client : rien n'est facturé et aucune carte n'est demandée.`,
  help: 'Une erreur, un changement ? Écrivez-nous, une personne vous répondra :',

  yes: 'Oui, nous gardons cette table',
  yesChange: 'Oui, nous la modifions',
  no: 'Non, nous sommes complets',
  noChange: 'Non, rien ne change',
  otherTime: 'Proposer une autre heure',
  sameDay: 'Le même jour, à',
  otherDay: 'Un autre jour',
  time: 'Heure',
  offerThis: 'Proposer',
  stop: 'Merci de ne plus nous solliciter',
  stopMeans:
    'Vous refusez cette table et nous ne vous solliciterons plus jamais. Les clients verront votre propre moyen de réserver.',
  stopNow: 'Ne plus nous solliciter',
  undo: "C'était une erreur : annuler ma réponse",
  undoFor: (minutes) =>
    `Vous pouvez annuler votre réponse pendant encore ${minutes === 1 ? 'une minute' : `${minutes} minutes`}.`,
  cannotKeep: 'Finalement, nous ne pouvons pas garder cette table',
  cannotKeepEither: 'Nous ne pouvons garder aucune des deux tables',
  cancelMeans: "Le client est prévenu immédiatement qu'il n'y a pas de table. Cette action est définitive.",
  cancelNow: 'Annuler la table',

  staysAsItWas: (one) => `La table reste comme convenu : ${table(one)}.`,
  neverAgain: 'Nous ne vous solliciterons plus.',
  endings: {
    venueCancelled: {
      title: 'La table est annulée',
      words: "Le client est prévenu qu'il n'y a pas de table. Vous n'avez rien d'autre à faire.",
    },
    withdrawn: {
      title: "Cette table n'est plus demandée",
      words: "La demande a été retirée. Vous n'avez rien à faire ; merci de ne pas garder de table.",
    },
    unanswered: {
      title: 'Cette demande est close',
      words: "Aucune réponse n'est arrivée à temps et le client en a été informé. Vous n'avez rien à faire.",
    },
    booked: {
      title: 'Merci : la table est réservée',
      words: 'Le client est informé que vous avez accepté. Merci de garder cette table.',
    },
    changed: {
      title: 'Merci : la table est modifiée',
      words:
        'Le client est informé que vous avez accepté. Merci de garder cette table ; la précédente est de nouveau libre.',
    },
    changeDeclined: {
      title: 'Merci : la table reste comme convenu',
      words: "Le client a été prévenu que c'est non.",
    },
    changeEnded: {
      title: 'La table reste comme convenu',
      words: "Le changement n'a pas abouti et le client en a été informé. Merci de garder cette table.",
    },
    over: { title: 'Cette réservation est passée', words: "L'heure de la table est passée. Merci." },
    replaced: {
      title: "Ce lien n'est plus valable",
      words: 'La demande a changé depuis. Le bon lien se trouve dans notre dernier message.',
    },
    offered: {
      title: 'Merci : nous transmettons',
      words:
        "Le client est informé de votre proposition et nous vous prévenons dès qu'il l'accepte. Merci de la garder d'ici là.",
    },
    declined: {
      title: 'Merci de votre réponse',
      words: "Le client est prévenu qu'il n'y a pas de table. Vous n'avez rien d'autre à faire.",
    },
    stopped: {
      title: 'Merci de votre réponse',
      words: "Le client est prévenu qu'il n'y a pas de table. Nous ne vous solliciterons plus.",
    },
  },
  faults: {
    answer:
      "Répondez oui, non, une autre heure, ou demandez-nous de ne plus vous solliciter. Rien n'a été modifié.",
    day: 'Indiquez une date, par exemple 2026-11-20.',
    time: 'Indiquez une heure, par exemple 20:15.',
    passed: 'Cette heure est déjà passée.',
    same: "C'est la table demandée : répondez plutôt oui.",
    meanwhile:
      "Une réponse a été donnée entre-temps, ici ou par un autre moyen ; ce qui s'affiche maintenant fait foi. Rien n'a été modifié.",
    oldPage:
      "La page était trop ancienne pour recevoir votre réponse. Rien n'a été modifié ; merci de répondre à nouveau.",
  },

  hello: (place) => `Bonjour${place === null ? '' : `, ${place}`}. Ceci est une demande de table.`,
  keys: 'Pour oui, tapez 1. Pour non, tapez 2. Pour proposer une autre heure, tapez 3, et une personne vous rappellera.',
  silence: "Nous n'avons pas entendu de réponse. Au revoir.",
  callEnded: "Cette demande est close. Vous n'avez rien à faire. Au revoir.",
  thanks: {
    yes: 'Merci. Le client est informé que la table est réservée. Au revoir.',
    no: "Merci. Le client est informé qu'il n'y a pas de table. Au revoir.",
    no_change: "Merci. La table reste comme convenu et le client est prévenu que c'est non. Au revoir.",
    another_time: 'Merci. Une personne de notre équipe vous rappelle bientôt. Au revoir.',
  },
};
