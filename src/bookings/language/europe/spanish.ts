import { pluralIn, type VenueWords, type WrittenTable } from '../words.ts';

/** One o'clock is singular: a la 1:30 p.m. */
const at = (time: string) => `${/^0?1[:.]/.test(time) ? 'a la' : 'a las'} ${time}`;

const table = ({ people, day, time }: WrittenTable) =>
  `una mesa para ${pluralIn('es', people, { one: 'persona', other: 'personas' })} el ${day}, ${at(time)}`;

export const spanish: VenueWords = {
  locale: 'es-ES',
  voice: 'es-ES',
  table,
  messages: {
    new: (one) => `¿tienen ${table(one)}?`,
    change: (one) => `¿podría ser en su lugar ${table(one)}?`,
    reminder: (one) => `seguimos esperando su respuesta. ¿Tienen ${table(one)}?`,
    accepted: (one) => `aceptamos su propuesta: ${table(one)}.`,
    cancelled: (one) => `ya no se necesita: ${table(one)}.`,
    kept: (one) => `la reserva sigue igual: ${table(one)}.`,
  },
  subjects: {
    new: (one) => `¿Tienen ${table(one)}?`,
    change: (one) => `¿Podría ser en su lugar ${table(one)}?`,
    reminder: (one) => `Recordatorio: ¿tienen ${table(one)}?`,
    accepted: (one) => `Gracias, aceptamos ${table(one)}`,
    cancelled: (one) => `Ya no se necesita: ${table(one)}`,
    kept: (one) => `La reserva sigue igual: ${table(one)}`,
  },
  severalSubject: (tables, day) => `¿Tienen ${tables} mesas el ${day}?`,
  forName: (name) => `A nombre de: ${name}.`,
  withNote: (note) => `Observación: ${note}`,
  holdMeanwhile: (one) => `Hasta que respondan, se mantiene ${table(one)}.`,
  answerHere: (link) => `Respondan con un toque: ${link}`,
  answerEach: (link) => `Respondan a cada mesa con un toque: ${link}`,

  skip: 'Ir al contenido',
  yourVenue: 'su establecimiento',
  askTitle: '¿Tienen esta mesa?',
  changeTitle: '¿Pueden cambiar esta mesa?',
  severalTitle: (tables, day) => `${tables} mesas el ${day}`,
  guestHolds: (one) =>
    `El cliente ya tiene con ustedes ${table(one)}. Si responden que no, esa reserva sigue igual.`,
  guests: 'Personas',
  name: 'Nombre',
  note: 'Observación',
  answerBy: (weekday, time) => `Respondan, por favor, antes del ${weekday} ${at(time)}, hora local.`,
  nothingCharged: (service) =>
    `${service} pregunta en nombre de un cliente: no se cobra nada ni se pide ninguna tarjeta.`,
  help: '¿Algo no es correcto o ha cambiado? Escríbannos y una persona lo revisará:',

  yes: 'Sí, reservamos esta mesa',
  yesChange: 'Sí, la cambiamos',
  no: 'No, estamos completos',
  noChange: 'No, sigue como estaba',
  otherTime: 'Proponer otra hora',
  sameDay: 'El mismo día, a las',
  otherDay: 'Otro día',
  time: 'Hora',
  offerThis: 'Proponer',
  stop: 'Por favor, no nos pregunten más',
  stopMeans:
    'Esto rechaza la mesa y no volveremos a preguntarles nunca. Los clientes verán su propia forma de reservar.',
  stopNow: 'No preguntar más',
  undo: 'Fue un error: deshacer',
  undoFor: (minutes) =>
    `Pueden deshacerlo durante ${minutes === 1 ? 'un minuto más' : `${minutes} minutos más`}.`,
  cannotKeep: 'Al final no podemos mantener esta mesa',
  cannotKeepEither: 'No podemos mantener ninguna de las dos mesas',
  cancelMeans: 'Se avisa enseguida al cliente de que no hay mesa. Esto no se puede deshacer.',
  cancelNow: 'Cancelar la mesa',

  staysAsItWas: (one) => `La mesa sigue como estaba: ${table(one)}.`,
  neverAgain: 'No volveremos a preguntarles.',
  endings: {
    venueCancelled: {
      title: 'La mesa está cancelada',
      words: 'Se avisa al cliente de que no hay mesa. No tienen que hacer nada más.',
    },
    withdrawn: {
      title: 'Esta mesa ya no se necesita',
      words: 'La solicitud se ha retirado. No tienen que hacer nada; por favor, no guarden la mesa.',
    },
    unanswered: {
      title: 'Esta solicitud ha terminado',
      words: 'No llegó respuesta a tiempo y se avisó al cliente. No tienen que hacer nada.',
    },
    booked: {
      title: 'Gracias: la mesa está reservada',
      words: 'Se informa al cliente de que han aceptado. Por favor, guarden esta mesa.',
    },
    changed: {
      title: 'Gracias: la mesa está cambiada',
      words:
        'Se informa al cliente de que han aceptado. Por favor, guarden esta mesa; la anterior vuelve a estar libre.',
    },
    changeDeclined: { title: 'Gracias: la mesa sigue como estaba', words: 'Se ha dicho al cliente que no.' },
    changeEnded: {
      title: 'La mesa sigue como estaba',
      words: 'El cambio no se hizo y se ha avisado al cliente. Por favor, guarden esta mesa.',
    },
    over: { title: 'Esta reserva ya pasó', words: 'La hora de la mesa ya ha pasado. Gracias.' },
    replaced: {
      title: 'Este enlace ya no es válido',
      words: 'La solicitud ha cambiado. El enlace que funciona está en nuestro último mensaje.',
    },
    offered: {
      title: 'Gracias: lo comunicamos',
      words:
        'Se informa al cliente de su propuesta y les avisaremos en cuanto la acepte. Por favor, guárdenla hasta entonces.',
    },
    declined: {
      title: 'Gracias por avisarnos',
      words: 'Se informa al cliente de que no hay mesa. No tienen que hacer nada más.',
    },
    stopped: {
      title: 'Gracias por avisarnos',
      words: 'Se informa al cliente de que no hay mesa. No volveremos a preguntarles.',
    },
  },
  faults: {
    answer: 'Elijan sí, no, otra hora o que dejemos de preguntar. No se ha cambiado nada.',
    day: 'Debe ser una fecha, por ejemplo 2026-11-20.',
    time: 'Debe ser una hora, por ejemplo 20:15.',
    passed: 'Esa hora ya ha pasado.',
    same: 'Es la mesa que se pidió: respondan que sí.',
    meanwhile:
      'Entretanto ya se respondió, aquí o por otra vía, y vale lo que se muestra ahora. No se ha cambiado nada.',
    oldPage:
      'La página era demasiado antigua para recibir su respuesta. No se ha cambiado nada; respondan otra vez, por favor.',
  },

  hello: (place) => `Hola${place === null ? '' : `, ${place}`}. Esta es una solicitud de mesa.`,
  keys: 'Para sí, pulse 1. Para no, pulse 2. Para proponer otra hora, pulse 3 y le llamará una persona.',
  silence: 'No hemos oído ninguna respuesta. Adiós.',
  callEnded: 'Esta solicitud ha terminado. No tiene que hacer nada. Adiós.',
  thanks: {
    yes: 'Gracias. Se informa al cliente de que la mesa está reservada. Adiós.',
    no: 'Gracias. Se informa al cliente de que no hay mesa. Adiós.',
    no_change: 'Gracias. La mesa sigue como estaba y se dice al cliente que no. Adiós.',
    another_time: 'Gracias. Una persona de nuestro equipo le llamará pronto. Adiós.',
  },
};
