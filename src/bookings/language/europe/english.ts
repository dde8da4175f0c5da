import type { VenueWords, WrittenTable } from '../words.ts';

const table = ({ people, day, time }: WrittenTable) => `a table for ${people} on ${day} at ${time}`;

export const english: VenueWords = {
  locale: 'en-GB',
  voice: 'en-GB',
  table,
  messages: {
    new: (one) => `do you have ${table(one)}?`,
    change: (one) => `could it be ${table(one)} instead?`,
    reminder: (one) => `we still wait for your answer. Do you have ${table(one)}?`,
    accepted: (one) => `we take your offer: ${table(one)}.`,
    cancelled: (one) => `${table(one)} is no longer wanted.`,
    kept: (one) => `it stays at ${table(one)}.`,
  },
  subjects: {
    new: (one) => `Do you have ${table(one)}?`,
    change: (one) => `Could it be ${table(one)} instead?`,
    reminder: (one) => `Still asking: do you have ${table(one)}?`,
    accepted: (one) => `Thank you, we take ${table(one)}`,
    cancelled: (one) => `No longer wanted: ${table(one)}`,
    kept: (one) => `It stays as it was: ${table(one)}`,
  },
  severalSubject: (tables, day) => `Do you have ${tables} tables on ${day}?`,
  forName: (name) => `Name: ${name}.`,
  withNote: (note) => `Note: ${note}`,
  holdMeanwhile: (one) => `Until you answer, you hold ${table(one)}.`,
  answerHere: (link) => `Answer with one tap: ${link}`,
  answerEach: (link) => `Answer each with one tap: ${link}`,

  skip: 'Skip to the content',
  yourVenue: 'your venue',
  askTitle: 'Do you have this table?',
  changeTitle: 'Could you change this table?',
  severalTitle: (tables, day) => `${tables} tables on ${day}`,
  guestHolds: (one) => `The guest has ${table(one)} with you. If you say no, that table stays as it is.`,
  guests: 'Guests',
  name: 'Name',
  note: 'Note',
  answerBy: (weekday, time) => `Please answer by ${weekday} ${time}, your time.`,
  nothingCharged: (service) => `${service} asks for a guest: nobody is charged, and no card is taken.`,
  help: 'Something is wrong, or has changed? Write to us, and a person looks at it:',

  yes: 'Yes, we keep this table',
  yesChange: 'Yes, we change it',
  no: 'No, we are full',
  noChange: 'No, it stays as it was',
  otherTime: 'Offer another time',
  sameDay: 'The same day, at',
  otherDay: 'Another day',
  time: 'Time',
  offerThis: 'Offer this',
  stop: 'Please stop asking us',
  stopMeans:
    'This says no to the table, and we never ask you again. Guests find your own way to book instead.',
  stopNow: 'Stop asking us',
  undo: 'That was a slip: undo',
  undoFor: (minutes) => `You can undo for ${minutes === 1 ? 'one more minute' : `${minutes} more minutes`}.`,
  cannotKeep: 'We cannot keep this table after all',
  cannotKeepEither: 'We cannot keep either of the two tables',
  cancelMeans: 'The guest is told at once that there is no table. This cannot be undone.',
  cancelNow: 'Cancel the table',

  staysAsItWas: (one) => `The table stays as it was: ${table(one)}.`,
  neverAgain: 'We will not ask you again.',
  endings: {
    venueCancelled: {
      title: 'The table is cancelled',
      words: 'The guest is told that there is no table. There is nothing more that you need to do.',
    },
    withdrawn: {
      title: 'This table is no longer wanted',
      words: 'The request was taken back. There is nothing that you need to do; please do not keep a table.',
    },
    unanswered: {
      title: 'This request has ended',
      words: 'No answer came in time, and the guest was told so. There is nothing that you need to do.',
    },
    booked: {
      title: 'Thank you: the table is booked',
      words: 'The guest is told that you have said yes. Please keep this table.',
    },
    changed: {
      title: 'Thank you: the table is changed',
      words:
        'The guest is told that you have said yes. Please keep this table; the one from before is free again.',
    },
    changeDeclined: { title: 'Thank you: the table stays as it was', words: 'The guest has been told no.' },
    changeEnded: {
      title: 'The table stays as it was',
      words: 'Nothing came of the change, and the guest has been told so. Please keep this table.',
    },
    over: { title: 'This table is over', words: 'Its time has come. Thank you.' },
    replaced: {
      title: 'This link is no longer good',
      words: 'The request has changed since. The newest message from us holds the link that works.',
    },
    offered: {
      title: 'Thank you: we pass it on',
      words:
        'The guest is told what you offer, and we tell you as soon as it is taken. Please keep it until then.',
    },
    declined: {
      title: 'Thank you for telling us',
      words: 'The guest is told that there is no table. There is nothing more that you need to do.',
    },
    stopped: {
      title: 'Thank you for telling us',
      words: 'The guest is told that there is no table. We will not ask you again.',
    },
  },
  faults: {
    answer: 'Say yes, no, another time, or that we should stop asking. Nothing was changed.',
    day: 'This must be a day, such as 2026-11-20.',
    time: 'This must be a time, such as 20:15.',
    passed: 'This time has passed.',
    same: 'This is the table that was asked for: say yes instead.',
    meanwhile:
      'This was answered meanwhile, here or by another way, and what is shown now stands. Nothing was changed.',
    oldPage: 'The page was too old to take your answer. Nothing was changed; please answer once more.',
  },

  hello: (place) => `Hello${place === null ? '' : `, ${place}`}. This is a request for a table.`,
  keys: 'For yes, press 1. For no, press 2. To offer another time, press 3, and a person will call you.',
  silence: 'We heard no answer. Goodbye.',
  callEnded: 'This request has ended. There is nothing you need to do. Goodbye.',
  thanks: {
    yes: 'Thank you. The guest is told that the table is booked. Goodbye.',
    no: 'Thank you. The guest is told that there is no table. Goodbye.',
    no_change: 'Thank you. The table stays as it was, and the guest is told no. Goodbye.',
    another_time: 'Thank you. A person from our desk calls you soon. Goodbye.',
  },
};
