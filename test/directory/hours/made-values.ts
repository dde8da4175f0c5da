/** Hours as people write them, composed so that a machine without real values has some hundreds of every form. */
const DAYS = [
  '',
  'Mo-Fr ',
  'Mo-Su ',
  'Tu-Sa ',
  'Mo,We,Fr ',
  'Sa-Mo ',
  'Mo-Th,Su ',
  'Dec-Mar Mo-Fr ',
  'Jun 15-Sep 15 ',
];
const TIMES = [
  '09:00-17:00',
  '08:30-12:00,14:00-18:30',
  '11:30-14:30,17:30-22:30',
  '18:00-24:00',
  '18:00-02:00',
  '00:00-24:00',
  '10:00-19:00',
];
const TAILS = [
  '',
  '; Su off',
  '; PH off',
  '; Sa 10:00-14:00',
  '; Sa 10:00-13:00; Su,PH off',
  '; Dec 24-26 off',
];

export const MADE_VALUES: readonly string[] = [
  '24/7',
  'sunrise-sunset',
  'Mo-Fr 08:00-sunset; PH off',
  'Mo-Su,PH 00:00-24:00',
  'We[1] 10:00-12:00',
  'week 1-53/2 Fr 09:00-12:00',
  'easter -2 days-easter +1 day off',
  'Mo-Fr 08:00-18:00 || "by appointment"',
  ...DAYS.flatMap((days) => TIMES.flatMap((times) => TAILS.map((tail) => `${days}${times}${tail}`))),
];

/** Values that no parser of opening hours should accept. */
export const MADE_INVALID_VALUES: readonly string[] = [
  ...[
    '',
    ' ',
    ';',
    '-',
    '?',
    '25:00-26:00',
    'Mo-',
    '-Fr',
    'Mo-Fr',
    'Mo-Fr 9',
    'Mo-Fr 09:00-',
    '09:00--17:00',
  ],
  ...[
    'Mo-Fr 09:00-17:00;;;',
    '"',
    '"open',
    '[',
    '(((((',
    'Mo[',
    'Mo[9] 10:00-11:00',
    'week 99',
    'easter easter',
  ],
  ...[
    'https://venue.example/hours',
    'daily',
    'siehe Aushang',
    '営業時間',
    'حتى المغرب',
    'Mo-Fr 09:00-17:00 \u0000',
  ],
  ...[
    'Jan 32',
    'Feb 30-Feb 31 10:00-12:00',
    '2020-2010',
    'Mo-Fr 99999999999999999999:00',
    'PH PH PH',
    '||||',
  ],
  ...[
    'Mo '.repeat(2_000),
    '('.repeat(2_000),
    '09:00-17:00,'.repeat(500),
    '"'.repeat(1_001),
    '1-53/'.repeat(300),
  ],
];
