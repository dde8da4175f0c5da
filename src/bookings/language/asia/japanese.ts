import type { VenueWords, WrittenTable } from '../words.ts';

const table = ({ people, day, time }: WrittenTable) => `${day} ${time}、${people}名様のお席`;

export const japanese: VenueWords = {
  locale: 'ja-JP',
  voice: 'ja-JP',
  table,
  messages: {
    new: (one) => `${table(one)}はございますか。`,
    change: (one) => `${table(one)}への変更は可能でしょうか。`,
    reminder: (one) => `ご返答をお待ちしております。${table(one)}はございますか。`,
    accepted: (one) => `ご提案のとおりお願いいたします：${table(one)}。`,
    cancelled: (one) => `${table(one)}は不要になりました。`,
    kept: (one) => `ご予約は元のままでお願いいたします：${table(one)}。`,
  },
  subjects: {
    new: (one) => `お席のお伺い：${table(one)}`,
    change: (one) => `変更のお伺い：${table(one)}`,
    reminder: (one) => `再度のお伺い：${table(one)}`,
    accepted: (one) => `ありがとうございます。ご提案をお受けします：${table(one)}`,
    cancelled: (one) => `不要になりました：${table(one)}`,
    kept: (one) => `元のままでお願いします：${table(one)}`,
  },
  severalSubject: (tables, day) => `${day}に${tables}組のお席はございますか`,
  forName: (name) => `お名前：${name}様。`,
  withNote: (note) => `ご要望：${note}`,
  holdMeanwhile: (one) => `ご返答までは、${table(one)}をそのままお取り置きください。`,
  answerHere: (link) => `ワンタップでご返答ください：${link}`,
  answerEach: (link) => `お席ごとにワンタップでご返答ください：${link}`,

  skip: '本文へ移動',
  yourVenue: '貴店',
  askTitle: 'このお席はございますか',
  changeTitle: 'このお席を変更できますか',
  severalTitle: (tables, day) => `${day}、${tables}組のお席`,
  guestHolds: (one) =>
    `お客様はすでに${table(one)}をご予約済みです。お断りの場合、そのご予約はそのままです。`,
  guests: '人数',
  name: 'お名前',
  note: 'ご要望',
  answerBy: (weekday, time) => `${weekday}${time}（現地時間）までにご返答をお願いいたします。`,
  nothingCharged: (service) =>
    `${service}がお客様に代わってお伺いしています。料金は発生せず、カードも必要ありません。`,
  help: '誤りや変更がございましたら、こちらまでご連絡ください。担当者が対応いたします：',

  yes: 'はい、お席を用意します',
  yesChange: 'はい、変更します',
  no: 'いいえ、満席です',
  noChange: 'いいえ、元のままにします',
  otherTime: '別の時間を提案する',
  sameDay: '同じ日の別の時間',
  otherDay: '別の日',
  time: '時間',
  offerThis: 'この内容で提案する',
  stop: '今後の問い合わせを停止する',
  stopMeans:
    'このお席をお断りし、今後お問い合わせすることはありません。お客様には貴店独自の予約方法をご案内します。',
  stopNow: '問い合わせを停止',
  undo: '間違えました：取り消す',
  undoFor: (minutes) => `あと${minutes}分間取り消せます。`,
  cannotKeep: 'やはりこのお席をご用意できません',
  cannotKeepEither: 'どちらのお席もご用意できません',
  cancelMeans: 'お席がないことをすぐにお客様へお伝えします。この操作は取り消せません。',
  cancelNow: 'お席をキャンセル',

  staysAsItWas: (one) => `お席は元のままです：${table(one)}。`,
  neverAgain: '今後お問い合わせすることはありません。',
  endings: {
    venueCancelled: {
      title: 'お席はキャンセルされました',
      words: 'お席がないことをお客様にお伝えします。これ以上のお手続きは不要です。',
    },
    withdrawn: {
      title: 'このお席は不要になりました',
      words: 'ご依頼は取り下げられました。お手続きは不要です。お席の取り置きはなさらないでください。',
    },
    unanswered: {
      title: 'このご依頼は終了しました',
      words: '期限までにご返答がなかったため、お客様にその旨をお伝えしました。お手続きは不要です。',
    },
    booked: {
      title: 'ありがとうございます。ご予約が確定しました',
      words: 'ご承諾いただいたことをお客様にお伝えします。お席のご用意をお願いいたします。',
    },
    changed: {
      title: 'ありがとうございます。お席を変更しました',
      words:
        'ご承諾いただいたことをお客様にお伝えします。このお席のご用意をお願いいたします。変更前のお席は空きになります。',
    },
    changeDeclined: {
      title: 'ありがとうございます。お席は元のままです',
      words: '変更できないことをお客様にお伝えしました。',
    },
    changeEnded: {
      title: 'お席は元のままです',
      words: '変更はなくなり、お客様にその旨をお伝えしました。このお席のご用意をお願いいたします。',
    },
    over: { title: 'このご予約は終了しています', words: 'お席の時間が過ぎました。ありがとうございました。' },
    replaced: {
      title: 'このリンクは無効になりました',
      words: 'ご依頼の内容が変わりました。有効なリンクは最新のメッセージにございます。',
    },
    offered: {
      title: 'ありがとうございます。お客様にお伝えします',
      words:
        'ご提案をお客様にお伝えし、お受けになり次第ご連絡いたします。それまでお取り置きをお願いいたします。',
    },
    declined: {
      title: 'ご返答ありがとうございます',
      words: 'お席がないことをお客様にお伝えします。これ以上のお手続きは不要です。',
    },
    stopped: {
      title: 'ご返答ありがとうございます',
      words: 'お席がないことをお客様にお伝えします。今後お問い合わせすることはありません。',
    },
  },
  faults: {
    answer:
      '「はい」「いいえ」「別の時間」「問い合わせの停止」のいずれかをお選びください。何も変更されていません。',
    day: '日付を入力してください（例：2026-11-20）。',
    time: '時間を入力してください（例：20:15）。',
    passed: 'この時間はすでに過ぎています。',
    same: 'ご依頼のお席と同じです。「はい」とご返答ください。',
    meanwhile:
      'この間に、ここまたは別の方法でご返答がありました。現在表示されている内容が有効です。何も変更されていません。',
    oldPage: 'ページが古いためご返答を受け取れませんでした。何も変更されていません。もう一度ご返答ください。',
  },

  hello: (place) => `${place === null ? '' : `${place}様、`}お世話になっております。お席のお伺いです。`,
  keys: '「はい」は1を、「いいえ」は2を押してください。別の時間をご提案の場合は3を押してください。担当者がお電話いたします。',
  silence: 'ご返答を確認できませんでした。失礼いたします。',
  callEnded: 'このご依頼は終了しました。お手続きは不要です。失礼いたします。',
  thanks: {
    yes: 'ありがとうございます。ご予約が確定したことをお客様にお伝えします。失礼いたします。',
    no: 'ありがとうございます。お席がないことをお客様にお伝えします。失礼いたします。',
    no_change:
      'ありがとうございます。お席は元のままで、変更できないことをお客様にお伝えします。失礼いたします。',
    another_time: 'ありがとうございます。まもなく担当者がお電話いたします。失礼いたします。',
  },
};
