import type { VenueWords, WrittenTable } from '../words.ts';

const table = ({ people, day, time }: WrittenTable) =>
  `meja untuk ${people} orang pada ${day}, pukul ${time}`;

export const indonesian: VenueWords = {
  locale: 'id-ID',
  voice: 'id-ID',
  table,
  messages: {
    new: (one) => `apakah tersedia ${table(one)}?`,
    change: (one) => `apakah bisa diganti menjadi ${table(one)}?`,
    reminder: (one) => `kami masih menunggu jawaban Anda. Apakah tersedia ${table(one)}?`,
    accepted: (one) => `kami menerima tawaran Anda: ${table(one)}.`,
    cancelled: (one) => `tidak jadi dipesan: ${table(one)}.`,
    kept: (one) => `reservasi tetap seperti semula: ${table(one)}.`,
  },
  subjects: {
    new: (one) => `Apakah tersedia ${table(one)}?`,
    change: (one) => `Apakah bisa diganti menjadi ${table(one)}?`,
    reminder: (one) => `Pengingat: apakah tersedia ${table(one)}?`,
    accepted: (one) => `Terima kasih, kami menerima ${table(one)}`,
    cancelled: (one) => `Tidak jadi dipesan: ${table(one)}`,
    kept: (one) => `Tetap seperti semula: ${table(one)}`,
  },
  severalSubject: (tables, day) => `Apakah tersedia ${tables} meja pada ${day}?`,
  forName: (name) => `Atas nama: ${name}.`,
  withNote: (note) => `Catatan: ${note}`,
  holdMeanwhile: (one) => `Sampai Anda menjawab, yang berlaku tetap ${table(one)}.`,
  answerHere: (link) => `Jawab dengan satu ketukan: ${link}`,
  answerEach: (link) => `Jawab tiap meja dengan satu ketukan: ${link}`,

  skip: 'Langsung ke isi',
  yourVenue: 'tempat Anda',
  askTitle: 'Apakah meja ini tersedia?',
  changeTitle: 'Bisakah meja ini diubah?',
  severalTitle: (tables, day) => `${tables} meja pada ${day}`,
  guestHolds: (one) =>
    `Tamu sudah punya ${table(one)} di tempat Anda. Jika Anda menjawab tidak, reservasi itu tetap berlaku.`,
  guests: 'Jumlah tamu',
  name: 'Nama',
  note: 'Catatan',
  answerBy: (weekday, time) => `Mohon dijawab paling lambat ${weekday} pukul ${time}, waktu setempat.`,
  nothingCharged: (service) =>
    `${service} bertanya atas nama seorang tamu: tidak ada biaya dan tidak ada kartu yang diminta.`,
  help: 'Ada yang salah atau berubah? Tulis kepada kami dan staf kami akan membantu:',

  yes: 'Ya, meja ini kami siapkan',
  yesChange: 'Ya, kami ubah',
  no: 'Tidak, kami penuh',
  noChange: 'Tidak, tetap seperti semula',
  otherTime: 'Tawarkan waktu lain',
  sameDay: 'Hari yang sama, pukul',
  otherDay: 'Hari lain',
  time: 'Waktu',
  offerThis: 'Tawarkan ini',
  stop: 'Mohon jangan hubungi kami lagi',
  stopMeans:
    'Ini berarti menolak meja, dan kami tidak akan pernah bertanya lagi. Tamu akan melihat cara reservasi Anda sendiri.',
  stopNow: 'Jangan hubungi kami lagi',
  undo: 'Salah tekan: batalkan jawaban',
  undoFor: (minutes) => `Jawaban masih bisa dibatalkan selama ${minutes} menit.`,
  cannotKeep: 'Maaf, meja ini ternyata tidak bisa kami siapkan',
  cannotKeepEither: 'Kedua meja itu tidak bisa kami siapkan',
  cancelMeans: 'Tamu segera diberi tahu bahwa tidak ada meja. Ini tidak bisa dibatalkan.',
  cancelNow: 'Batalkan meja',

  staysAsItWas: (one) => `Meja tetap seperti semula: ${table(one)}.`,
  neverAgain: 'Kami tidak akan bertanya lagi.',
  endings: {
    venueCancelled: {
      title: 'Meja telah dibatalkan',
      words: 'Tamu diberi tahu bahwa tidak ada meja. Tidak ada lagi yang perlu Anda lakukan.',
    },
    withdrawn: {
      title: 'Meja ini tidak jadi dipesan',
      words: 'Permintaan ditarik kembali. Tidak ada yang perlu Anda lakukan; mohon jangan menyisihkan meja.',
    },
    unanswered: {
      title: 'Permintaan ini sudah berakhir',
      words: 'Tidak ada jawaban tepat waktu dan tamu sudah diberi tahu. Tidak ada yang perlu Anda lakukan.',
    },
    booked: {
      title: 'Terima kasih: meja sudah dipesan',
      words: 'Tamu diberi tahu bahwa Anda menjawab ya. Mohon siapkan meja ini.',
    },
    changed: {
      title: 'Terima kasih: meja sudah diubah',
      words:
        'Tamu diberi tahu bahwa Anda menjawab ya. Mohon siapkan meja ini; meja yang sebelumnya kosong kembali.',
    },
    changeDeclined: {
      title: 'Terima kasih: meja tetap seperti semula',
      words: 'Tamu sudah diberi tahu bahwa jawabannya tidak.',
    },
    changeEnded: {
      title: 'Meja tetap seperti semula',
      words: 'Perubahan tidak jadi dan tamu sudah diberi tahu. Mohon siapkan meja ini.',
    },
    over: { title: 'Reservasi ini sudah lewat', words: 'Waktunya sudah lewat. Terima kasih.' },
    replaced: {
      title: 'Tautan ini tidak berlaku lagi',
      words: 'Permintaan telah berubah. Tautan yang berlaku ada di pesan terbaru dari kami.',
    },
    offered: {
      title: 'Terima kasih: kami sampaikan',
      words:
        'Tamu diberi tahu tentang tawaran Anda, dan kami kabari segera setelah diterima. Mohon disisihkan sampai saat itu.',
    },
    declined: {
      title: 'Terima kasih atas jawabannya',
      words: 'Tamu diberi tahu bahwa tidak ada meja. Tidak ada lagi yang perlu Anda lakukan.',
    },
    stopped: {
      title: 'Terima kasih atas jawabannya',
      words: 'Tamu diberi tahu bahwa tidak ada meja. Kami tidak akan bertanya lagi.',
    },
  },
  faults: {
    answer: 'Pilih ya, tidak, waktu lain, atau jangan hubungi lagi. Tidak ada yang diubah.',
    day: 'Ini harus berupa tanggal, misalnya 2026-11-20.',
    time: 'Ini harus berupa waktu, misalnya 20:15.',
    passed: 'Waktu ini sudah lewat.',
    same: 'Ini meja yang diminta: mohon jawab ya.',
    meanwhile:
      'Sementara itu sudah ada jawaban, di sini atau lewat cara lain, dan yang berlaku adalah yang ditampilkan sekarang. Tidak ada yang diubah.',
    oldPage:
      'Halaman ini terlalu lama untuk menerima jawaban Anda. Tidak ada yang diubah; mohon jawab sekali lagi.',
  },

  hello: (place) => `Halo${place === null ? '' : `, ${place}`}. Ini adalah permintaan meja.`,
  keys: 'Untuk ya, tekan 1. Untuk tidak, tekan 2. Untuk menawarkan waktu lain, tekan 3, dan staf kami akan menelepon Anda.',
  silence: 'Kami tidak mendengar jawaban. Sampai jumpa.',
  callEnded: 'Permintaan ini sudah berakhir. Tidak ada yang perlu Anda lakukan. Sampai jumpa.',
  thanks: {
    yes: 'Terima kasih. Tamu diberi tahu bahwa meja sudah dipesan. Sampai jumpa.',
    no: 'Terima kasih. Tamu diberi tahu bahwa tidak ada meja. Sampai jumpa.',
    no_change:
      'Terima kasih. Meja tetap seperti semula dan tamu diberi tahu bahwa jawabannya tidak. Sampai jumpa.',
    another_time: 'Terima kasih. Staf kami akan segera menelepon Anda. Sampai jumpa.',
  },
};
