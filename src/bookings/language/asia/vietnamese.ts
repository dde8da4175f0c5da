import type { VenueWords, WrittenTable } from '../words.ts';

const table = ({ people, day, time }: WrittenTable) => `bàn cho ${people} người vào ${day}, lúc ${time}`;

export const vietnamese: VenueWords = {
  locale: 'vi-VN',
  voice: 'vi-VN',
  table,
  messages: {
    new: (one) => `quý nhà hàng còn ${table(one)} không ạ?`,
    change: (one) => `có thể đổi sang ${table(one)} được không ạ?`,
    reminder: (one) => `chúng tôi vẫn đang chờ phản hồi. Quý nhà hàng còn ${table(one)} không ạ?`,
    accepted: (one) => `chúng tôi nhận đề nghị của quý nhà hàng: ${table(one)}.`,
    cancelled: (one) => `không còn cần ${table(one)}.`,
    kept: (one) => `đặt chỗ giữ nguyên như cũ: ${table(one)}.`,
  },
  subjects: {
    new: (one) => `Quý nhà hàng còn ${table(one)} không?`,
    change: (one) => `Có thể đổi sang ${table(one)} không?`,
    reminder: (one) => `Nhắc lại: còn ${table(one)} không?`,
    accepted: (one) => `Cảm ơn, chúng tôi nhận ${table(one)}`,
    cancelled: (one) => `Không còn cần: ${table(one)}`,
    kept: (one) => `Giữ nguyên như cũ: ${table(one)}`,
  },
  severalSubject: (tables, day) => `Quý nhà hàng còn ${tables} bàn vào ${day} không?`,
  forName: (name) => `Tên khách: ${name}.`,
  withNote: (note) => `Ghi chú: ${note}`,
  holdMeanwhile: (one) => `Cho đến khi có phản hồi, xin vẫn giữ ${table(one)}.`,
  answerHere: (link) => `Trả lời bằng một lần chạm: ${link}`,
  answerEach: (link) => `Trả lời từng bàn bằng một lần chạm: ${link}`,

  skip: 'Chuyển đến nội dung',
  yourVenue: 'quý nhà hàng',
  askTitle: 'Quý nhà hàng còn bàn này không?',
  changeTitle: 'Có thể đổi bàn này không?',
  severalTitle: (tables, day) => `${tables} bàn vào ${day}`,
  guestHolds: (one) => `Khách đã đặt ${table(one)}. Nếu trả lời không, đặt chỗ đó vẫn giữ nguyên.`,
  guests: 'Số khách',
  name: 'Tên',
  note: 'Ghi chú',
  answerBy: (weekday, time) => `Xin trả lời trước ${time} ${weekday}, giờ địa phương.`,
  nothingCharged: (service) => `${service} hỏi thay cho khách: không thu phí và không yêu cầu thẻ.`,
  help: 'Có gì sai hoặc thay đổi? Hãy viết cho chúng tôi, nhân viên sẽ xem xét:',

  yes: 'Có, chúng tôi giữ bàn này',
  yesChange: 'Có, chúng tôi đổi',
  no: 'Không, đã hết bàn',
  noChange: 'Không, giữ nguyên như cũ',
  otherTime: 'Đề nghị giờ khác',
  sameDay: 'Cùng ngày, lúc',
  otherDay: 'Ngày khác',
  time: 'Giờ',
  offerThis: 'Đề nghị giờ này',
  stop: 'Xin đừng hỏi chúng tôi nữa',
  stopMeans:
    'Điều này từ chối bàn và chúng tôi sẽ không bao giờ hỏi lại. Khách sẽ thấy cách đặt bàn riêng của quý nhà hàng.',
  stopNow: 'Ngừng hỏi chúng tôi',
  undo: 'Bấm nhầm: hoàn tác',
  undoFor: (minutes) => `Có thể hoàn tác trong ${minutes} phút nữa.`,
  cannotKeep: 'Rất tiếc, chúng tôi không giữ được bàn này',
  cannotKeepEither: 'Chúng tôi không giữ được cả hai bàn',
  cancelMeans: 'Khách được báo ngay là không có bàn. Không thể hoàn tác.',
  cancelNow: 'Hủy bàn',

  staysAsItWas: (one) => `Bàn vẫn giữ như cũ: ${table(one)}.`,
  neverAgain: 'Chúng tôi sẽ không hỏi lại nữa.',
  endings: {
    venueCancelled: {
      title: 'Bàn đã được hủy',
      words: 'Khách được báo là không có bàn. Quý nhà hàng không cần làm gì thêm.',
    },
    withdrawn: {
      title: 'Không còn cần bàn này',
      words: 'Yêu cầu đã được rút lại. Quý nhà hàng không cần làm gì; xin đừng giữ bàn.',
    },
    unanswered: {
      title: 'Yêu cầu này đã kết thúc',
      words: 'Không có phản hồi kịp thời và khách đã được báo. Quý nhà hàng không cần làm gì.',
    },
    booked: {
      title: 'Cảm ơn: bàn đã được đặt',
      words: 'Khách được báo là quý nhà hàng đã đồng ý. Xin giữ bàn này.',
    },
    changed: {
      title: 'Cảm ơn: bàn đã được đổi',
      words: 'Khách được báo là quý nhà hàng đã đồng ý. Xin giữ bàn này; bàn trước đó đã trống trở lại.',
    },
    changeDeclined: { title: 'Cảm ơn: bàn vẫn giữ như cũ', words: 'Khách đã được báo là không đổi được.' },
    changeEnded: {
      title: 'Bàn vẫn giữ như cũ',
      words: 'Việc đổi bàn không thành và khách đã được báo. Xin giữ bàn này.',
    },
    over: { title: 'Đặt chỗ này đã qua', words: 'Giờ đặt bàn đã qua. Cảm ơn.' },
    replaced: {
      title: 'Liên kết này không còn hiệu lực',
      words: 'Yêu cầu đã thay đổi. Liên kết đúng nằm trong tin nhắn mới nhất của chúng tôi.',
    },
    offered: {
      title: 'Cảm ơn: chúng tôi sẽ báo khách',
      words:
        'Khách được báo về đề nghị này, và chúng tôi sẽ báo lại ngay khi khách nhận. Xin giữ bàn đến lúc đó.',
    },
    declined: {
      title: 'Cảm ơn đã phản hồi',
      words: 'Khách được báo là không có bàn. Quý nhà hàng không cần làm gì thêm.',
    },
    stopped: {
      title: 'Cảm ơn đã phản hồi',
      words: 'Khách được báo là không có bàn. Chúng tôi sẽ không hỏi lại nữa.',
    },
  },
  faults: {
    answer: 'Xin chọn có, không, giờ khác, hoặc ngừng hỏi. Không có gì thay đổi.',
    day: 'Phải là một ngày, ví dụ 2026-11-20.',
    time: 'Phải là một giờ, ví dụ 20:15.',
    passed: 'Giờ này đã qua.',
    same: 'Đây chính là bàn được yêu cầu: xin trả lời có.',
    meanwhile:
      'Trong lúc đó đã có phản hồi, tại đây hoặc bằng cách khác; nội dung đang hiển thị có hiệu lực. Không có gì thay đổi.',
    oldPage: 'Trang này đã quá cũ để nhận phản hồi. Không có gì thay đổi; xin trả lời lại.',
  },

  hello: (place) => `Xin chào${place === null ? '' : ` ${place}`}. Đây là yêu cầu đặt bàn.`,
  keys: 'Nếu có, bấm 1. Nếu không, bấm 2. Để đề nghị giờ khác, bấm 3, nhân viên của chúng tôi sẽ gọi lại.',
  silence: 'Chúng tôi không nghe thấy phản hồi. Xin tạm biệt.',
  callEnded: 'Yêu cầu này đã kết thúc. Quý nhà hàng không cần làm gì. Xin tạm biệt.',
  thanks: {
    yes: 'Cảm ơn. Khách được báo là bàn đã được đặt. Xin tạm biệt.',
    no: 'Cảm ơn. Khách được báo là không có bàn. Xin tạm biệt.',
    no_change: 'Cảm ơn. Bàn vẫn giữ như cũ và khách được báo là không đổi được. Xin tạm biệt.',
    another_time: 'Cảm ơn. Nhân viên của chúng tôi sẽ sớm gọi lại. Xin tạm biệt.',
  },
};
