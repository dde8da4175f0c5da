import { pluralIn, type VenueWords, type WrittenTable } from '../words.ts';

/** Saturday and Sunday are masculine. */
const on = (day: string) => `${/^(sábado|domingo)/.test(day) ? 'no' : 'na'} ${day}`;

const table = ({ people, day, time }: WrittenTable) =>
  `uma mesa para ${pluralIn('pt', people, { one: 'pessoa', other: 'pessoas' })} ${on(day)}, às ${time}`;

export const portuguese: VenueWords = {
  locale: 'pt-PT',
  voice: 'pt-PT',
  table,
  messages: {
    new: (one) => `têm disponível ${table(one)}?`,
    change: (one) => `poderia ser, em vez disso, ${table(one)}?`,
    reminder: (one) => `continuamos à espera da sua resposta. Têm disponível ${table(one)}?`,
    accepted: (one) => `aceitamos a sua proposta: ${table(one)}.`,
    cancelled: (one) => `já não é necessária: ${table(one)}.`,
    kept: (one) => `a reserva mantém-se: ${table(one)}.`,
  },
  subjects: {
    new: (one) => `Têm disponível ${table(one)}?`,
    change: (one) => `Poderia ser, em vez disso, ${table(one)}?`,
    reminder: (one) => `Lembrete: têm disponível ${table(one)}?`,
    accepted: (one) => `Obrigado, aceitamos ${table(one)}`,
    cancelled: (one) => `Já não é necessária: ${table(one)}`,
    kept: (one) => `A reserva mantém-se: ${table(one)}`,
  },
  severalSubject: (tables, day) => `Têm ${tables} mesas disponíveis ${on(day)}?`,
  forName: (name) => `Em nome de: ${name}.`,
  withNote: (note) => `Observação: ${note}`,
  holdMeanwhile: (one) => `Até à sua resposta, mantém-se ${table(one)}.`,
  answerHere: (link) => `Responda com um toque: ${link}`,
  answerEach: (link) => `Responda a cada mesa com um toque: ${link}`,

  skip: 'Ir para o conteúdo',
  yourVenue: 'o seu estabelecimento',
  askTitle: 'Têm esta mesa disponível?',
  changeTitle: 'Podem alterar esta mesa?',
  severalTitle: (tables, day) => `${tables} mesas ${on(day)}`,
  guestHolds: (one) =>
    `O cliente já tem reservada ${table(one)}. Se responder não, essa reserva mantém-se como está.`,
  guests: 'Pessoas',
  name: 'Nome',
  note: 'Observação',
  answerBy: (weekday, time) => `Por favor, responda até ${weekday} às ${time}, hora local.`,
  nothingCharged: (service) =>
    `${service} faz este pedido em nome de um cliente: nada é cobrado e nenhum cartão é pedido.`,
  help: 'Algo está errado ou mudou? Escreva-nos e uma pessoa tratará do assunto:',

  yes: 'Sim, reservamos esta mesa',
  yesChange: 'Sim, alteramos',
  no: 'Não, estamos lotados',
  noChange: 'Não, fica como estava',
  otherTime: 'Propor outra hora',
  sameDay: 'No mesmo dia, às',
  otherDay: 'Outro dia',
  time: 'Hora',
  offerThis: 'Propor',
  stop: 'Por favor, não nos contactem mais',
  stopMeans:
    'Isto recusa a mesa, e nunca mais enviaremos pedidos. Os clientes verão a sua própria forma de reservar.',
  stopNow: 'Não receber mais pedidos',
  undo: 'Foi engano: anular',
  undoFor: (minutes) => `Pode anular durante mais ${minutes === 1 ? 'um minuto' : `${minutes} minutos`}.`,
  cannotKeep: 'Afinal não podemos manter esta mesa',
  cannotKeepEither: 'Não podemos manter nenhuma das duas mesas',
  cancelMeans: 'O cliente é avisado de imediato de que não há mesa. Isto não pode ser anulado.',
  cancelNow: 'Cancelar a mesa',

  staysAsItWas: (one) => `A mesa fica como estava: ${table(one)}.`,
  neverAgain: 'Não voltaremos a perguntar.',
  endings: {
    venueCancelled: {
      title: 'A mesa foi cancelada',
      words: 'O cliente é avisado de que não há mesa. Não precisa de fazer mais nada.',
    },
    withdrawn: {
      title: 'Esta mesa já não é necessária',
      words: 'O pedido foi retirado. Não precisa de fazer nada; por favor, não guarde a mesa.',
    },
    unanswered: {
      title: 'Este pedido terminou',
      words: 'Não chegou resposta a tempo e o cliente foi avisado. Não precisa de fazer nada.',
    },
    booked: {
      title: 'Obrigado: a mesa está reservada',
      words: 'O cliente é informado de que o pedido foi aceite. Por favor, guarde esta mesa.',
    },
    changed: {
      title: 'Obrigado: a mesa foi alterada',
      words:
        'O cliente é informado de que aceitou. Por favor, guarde esta mesa; a anterior volta a estar livre.',
    },
    changeDeclined: { title: 'Obrigado: a mesa fica como estava', words: 'Foi dito ao cliente que não.' },
    changeEnded: {
      title: 'A mesa fica como estava',
      words: 'A alteração não se fez e o cliente foi avisado. Por favor, guarde esta mesa.',
    },
    over: { title: 'Esta reserva já passou', words: 'A hora da mesa já passou. Obrigado.' },
    replaced: {
      title: 'Este link já não é válido',
      words: 'O pedido mudou entretanto. O link certo está na nossa mensagem mais recente.',
    },
    offered: {
      title: 'Obrigado: vamos transmitir',
      words:
        'O cliente é informado da sua proposta, e avisamos assim que a aceitar. Por favor, guarde-a até lá.',
    },
    declined: {
      title: 'Obrigado pela resposta',
      words: 'O cliente é informado de que não há mesa. Não precisa de fazer mais nada.',
    },
    stopped: {
      title: 'Obrigado pela resposta',
      words: 'O cliente é informado de que não há mesa. Não voltaremos a contactar.',
    },
  },
  faults: {
    answer: 'Escolha sim, não, outra hora ou não receber mais pedidos. Nada foi alterado.',
    day: 'Tem de ser uma data, por exemplo 2026-11-20.',
    time: 'Tem de ser uma hora, por exemplo 20:15.',
    passed: 'Essa hora já passou.',
    same: 'É a mesa que foi pedida: responda sim.',
    meanwhile:
      'Entretanto já houve uma resposta, aqui ou por outra via, e vale o que se mostra agora. Nada foi alterado.',
    oldPage:
      'A página era demasiado antiga para receber a sua resposta. Nada foi alterado; por favor, responda de novo.',
  },

  hello: (place) => `Olá${place === null ? '' : `, ${place}`}. Este é um pedido de mesa.`,
  keys: 'Para sim, prima 1. Para não, prima 2. Para propor outra hora, prima 3, e uma pessoa irá ligar-lhe.',
  silence: 'Não ouvimos nenhuma resposta. Adeus.',
  callEnded: 'Este pedido terminou. Não precisa de fazer nada. Adeus.',
  thanks: {
    yes: 'Obrigado. O cliente é informado de que a mesa está reservada. Adeus.',
    no: 'Obrigado. O cliente é informado de que não há mesa. Adeus.',
    no_change: 'Obrigado. A mesa fica como estava e diz-se ao cliente que não. Adeus.',
    another_time: 'Obrigado. Uma pessoa da nossa equipa irá ligar-lhe em breve. Adeus.',
  },
};
