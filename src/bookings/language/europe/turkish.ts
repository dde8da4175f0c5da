import type { VenueWords, WrittenTable } from '../words.ts';

const table = ({ people, day, time }: WrittenTable) => `${day} günü saat ${time} için ${people} kişilik masa`;

export const turkish: VenueWords = {
  locale: 'tr-TR',
  voice: 'tr-TR',
  table,
  messages: {
    new: (one) => `${table(one)} var mı?`,
    change: (one) => `bunun yerine ${table(one)} mümkün mü?`,
    reminder: (one) => `yanıtınızı hâlâ bekliyoruz. ${table(one)} var mı?`,
    accepted: (one) => `teklifinizi kabul ediyoruz: ${table(one)}.`,
    cancelled: (one) => `artık gerekmiyor: ${table(one)}.`,
    kept: (one) => `rezervasyon olduğu gibi kalıyor: ${table(one)}.`,
  },
  subjects: {
    new: (one) => `${table(one)} var mı?`,
    change: (one) => `Bunun yerine mümkün mü: ${table(one)}`,
    reminder: (one) => `Hatırlatma: ${table(one)} var mı?`,
    accepted: (one) => `Teşekkürler, kabul ediyoruz: ${table(one)}`,
    cancelled: (one) => `Artık gerekmiyor: ${table(one)}`,
    kept: (one) => `Olduğu gibi kalıyor: ${table(one)}`,
  },
  severalSubject: (tables, day) => `${day} günü için ${tables} masanız var mı?`,
  forName: (name) => `İsim: ${name}.`,
  withNote: (note) => `Not: ${note}`,
  holdMeanwhile: (one) => `Siz yanıtlayana kadar geçerli olan: ${table(one)}.`,
  answerHere: (link) => `Tek dokunuşla yanıtlayın: ${link}`,
  answerEach: (link) => `Her masayı tek dokunuşla yanıtlayın: ${link}`,

  skip: 'İçeriğe geç',
  yourVenue: 'işletmeniz',
  askTitle: 'Bu masanız var mı?',
  changeTitle: 'Bu masayı değiştirebilir misiniz?',
  severalTitle: (tables, day) => `${day} günü için ${tables} masa`,
  guestHolds: (one) =>
    `Misafirin sizde zaten şu rezervasyonu var: ${table(one)}. Hayır derseniz olduğu gibi kalır.`,
  guests: 'Kişi sayısı',
  name: 'İsim',
  note: 'Not',
  answerBy: (weekday, time) => `Son yanıt zamanı: ${weekday}, saat ${time} (yerel saatiniz).`,
  nothingCharged: (service) => `${service} bir misafir adına soruyor: hiçbir ücret alınmaz ve kart istenmez.`,
  help: 'Bir yanlışlık mı var ya da bir şey mi değişti? Bize yazın, bir çalışanımız ilgilensin:',

  yes: 'Evet, bu masayı ayırıyoruz',
  yesChange: 'Evet, değiştiriyoruz',
  no: 'Hayır, doluyuz',
  noChange: 'Hayır, olduğu gibi kalsın',
  otherTime: 'Başka saat öner',
  sameDay: 'Aynı gün, saat',
  otherDay: 'Başka bir gün',
  time: 'Saat',
  offerThis: 'Bunu öner',
  stop: 'Lütfen bize bir daha sormayın',
  stopMeans:
    'Bu, masa için hayır demektir ve size bir daha sormayız. Misafirler sizin kendi rezervasyon yolunuzu görür.',
  stopNow: 'Bir daha sormayın',
  undo: 'Yanlışlıkla oldu: geri al',
  undoFor: (minutes) => `${minutes} dakika daha geri alabilirsiniz.`,
  cannotKeep: 'Maalesef bu masayı tutamıyoruz',
  cannotKeepEither: 'İki masanın hiçbirini tutamıyoruz',
  cancelMeans: 'Misafire masa olmadığı hemen bildirilir. Bu işlem geri alınamaz.',
  cancelNow: 'Masayı iptal et',

  staysAsItWas: (one) => `Masa olduğu gibi kalıyor: ${table(one)}.`,
  neverAgain: 'Size bir daha sormayacağız.',
  endings: {
    venueCancelled: {
      title: 'Masa iptal edildi',
      words: 'Misafire masa olmadığı bildiriliyor. Başka bir şey yapmanız gerekmiyor.',
    },
    withdrawn: {
      title: 'Bu masa artık gerekmiyor',
      words: 'Talep geri çekildi. Bir şey yapmanız gerekmiyor; lütfen masa ayırmayın.',
    },
    unanswered: {
      title: 'Bu talep sona erdi',
      words: 'Zamanında yanıt gelmedi ve misafire bildirildi. Bir şey yapmanız gerekmiyor.',
    },
    booked: {
      title: 'Teşekkürler: masa ayrıldı',
      words: 'Misafire evet dediğiniz bildiriliyor. Lütfen bu masayı ayırın.',
    },
    changed: {
      title: 'Teşekkürler: masa değiştirildi',
      words: 'Misafire evet dediğiniz bildiriliyor. Lütfen bu masayı ayırın; önceki yeniden boş.',
    },
    changeDeclined: {
      title: 'Teşekkürler: masa olduğu gibi kalıyor',
      words: 'Misafire hayır dediğiniz bildirildi.',
    },
    changeEnded: {
      title: 'Masa olduğu gibi kalıyor',
      words: 'Değişiklik olmadı ve misafire bildirildi. Lütfen bu masayı ayırın.',
    },
    over: { title: 'Bu rezervasyon geçti', words: 'Masanın saati geçti. Teşekkürler.' },
    replaced: {
      title: 'Bu bağlantı artık geçerli değil',
      words: 'Talep bu arada değişti. Geçerli bağlantı en son mesajımızda.',
    },
    offered: {
      title: 'Teşekkürler: iletiyoruz',
      words:
        'Misafire öneriniz bildiriliyor; kabul edilince size haber veririz. Lütfen o zamana kadar ayırın.',
    },
    declined: {
      title: 'Bildirdiğiniz için teşekkürler',
      words: 'Misafire masa olmadığı bildiriliyor. Başka bir şey yapmanız gerekmiyor.',
    },
    stopped: {
      title: 'Bildirdiğiniz için teşekkürler',
      words: 'Misafire masa olmadığı bildiriliyor. Size bir daha sormayacağız.',
    },
  },
  faults: {
    answer: 'Evet, hayır, başka saat ya da bir daha sormayın seçin. Hiçbir şey değiştirilmedi.',
    day: 'Bu bir tarih olmalı, örneğin 2026-11-20.',
    time: 'Bu bir saat olmalı, örneğin 20:15.',
    passed: 'Bu saat geçti.',
    same: 'İstenen masa zaten bu: lütfen evet deyin.',
    meanwhile:
      'Bu arada burada ya da başka bir yolla yanıt verildi; şimdi görünen geçerlidir. Hiçbir şey değiştirilmedi.',
    oldPage: 'Sayfa yanıtınızı almak için çok eskiydi. Hiçbir şey değiştirilmedi; lütfen yeniden yanıtlayın.',
  },

  hello: (place) => `Merhaba${place === null ? '' : `, ${place}`}. Bu bir masa talebidir.`,
  keys: 'Evet için 1, hayır için 2 tuşuna basın. Başka saat önermek için 3 tuşuna basın; bir çalışanımız sizi arasın.',
  silence: 'Bir yanıt duyamadık. Hoşça kalın.',
  callEnded: 'Bu talep sona erdi. Bir şey yapmanız gerekmiyor. Hoşça kalın.',
  thanks: {
    yes: 'Teşekkürler. Misafire masanın ayrıldığı bildiriliyor. Hoşça kalın.',
    no: 'Teşekkürler. Misafire masa olmadığı bildiriliyor. Hoşça kalın.',
    no_change: 'Teşekkürler. Masa olduğu gibi kalıyor, misafire hayır dediğiniz bildiriliyor. Hoşça kalın.',
    another_time: 'Teşekkürler. Bir çalışanımız sizi yakında arayacak. Hoşça kalın.',
  },
};
