import fc from 'fast-check';
import { METHODS, MISHAPS } from '../fickle-venue.ts';
import { PLACES, type PlaceKind } from '../world.ts';
import { SPANS } from './steps.ts';

const each = (before: string, ...ends: string[]) => ends.map((end) => `${before} ${end}`);

const PARTNER = [
  'cancel',
  'cancel',
  'cancel right',
  'cancel wrong',
  'cancel too often',
  'accept',
  'accept',
  'accept wrong',
  'accept too often',
  'change time too often',
  ...each('change', 'time', 'date', 'size', 'notes', 'offered', 'time right', 'time wrong', 'size wrong'),
];
const WRITES = [
  ...each('write', 'late', 'seat', 'more', 'fewer'),
  'tap seen',
  'tap please_confirm',
  'tap seen old',
];
const DESK = each(
  'desk',
  'take',
  'yes',
  'no',
  'offer',
  'within',
  'nobody',
  'told',
  'back',
  'keeps',
  'put-down',
  'cancel',
);
const TEXTS = each(
  'text',
  'within',
  'yes',
  'no',
  'offer',
  'stop',
  'start',
  'nonsense',
  'yes again',
  'no again',
);
const TAPS = [
  ...each(
    'tap',
    'yes',
    'no',
    'offer',
    'stop',
    'undo',
    'yes old',
    'no old',
    'offer old',
    'yes kept',
    'no kept',
    'cancel',
    'cancel kept',
    'cancel old',
    'offer kept',
    'within',
    'undo kept',
  ),
  'open',
];
const CALLS = each('call', '1', '2', '3', 'busy', 'completed', '1 old', '2 old');
const WORK = ['work a', 'work b', 'work b last', 'one a', 'one b', 'again a', 'again b'];
const TIME = Object.keys(SPANS).flatMap((span) => [`pass ${span}`, `wait ${span}`]);
const SYSTEM = [
  ...each(
    'system',
    'asks its people',
    'says yes',
    'says no',
    'is full',
    'is full nearby',
    'is broken',
    'is well',
  ),
  ...each('system', 'keeps tables', 'lets go', 'cancels', 'cancels', 'reports', 'is down', 'is mute'),
];
const SPOILED = METHODS.flatMap((method) => MISHAPS.map((mishap) => `spoil ${method} ${mishap}`));
const TOGETHER = [
  'cancel | cancel',
  'cancel | change time',
  'cancel | work b',
  'change time | change size',
  'accept | cancel',
  'again a | again b',
  'work a | work b',
  'halt | cancel',
  'halt | work b',
];
const TAPS_TOGETHER = [
  'tap yes | cancel',
  'tap yes | tap no',
  'tap no | work b',
  'text yes | tap no',
  'text yes | text no',
  'text stop | work b',
  'text yes | cancel',
  'accept | tap no',
  'tap no | change time',
  'tap seen | write late',
  'write late | cancel',
];
const SYSTEM_TOGETHER = ['system says yes | work b', 'system says yes | cancel'];
const SELDOM = ['halt', 'resume', 'opt-out', 'burst', 'request today'];
/** What can happen to a choice of three venues besides what happens to its first booking. */
const CHOSEN: readonly string[] = [
  ...each('other', 'yes', 'no', 'offer', 'nonsense', 'yes first', 'no first'),
  ...each('wait', '20m', '20m', '20m'),
  'decline',
  'decline other',
  'accept other',
  'cancel other',
  'tap yes',
  'tap no',
  'tap offer',
  'tap undo',
  'call 1',
  'call 2',
  'desk yes',
  'desk no',
  'other yes | tap yes',
  'other yes | text yes',
  'other yes | call 1',
  'other yes | work b',
  'other yes | cancel',
  'other yes | other yes first',
  'tap no | other no',
  'accept | other yes',
  'cancel other | work b',
];
/** What can happen to a guest who waits. */
const WAITED: readonly string[] = [
  'tap no',
  'tap no',
  'text no',
  'desk no',
  'call 2',
  'system is full',
  'system says no',
  ...each('tap', 'free', 'free', 'free', 'none_free', 'yes', 'offer', 'undo', 'stop', 'free old', 'no kept'),
  'text yes',
  'text offer',
  'accept',
  'accept',
  'decline',
  'cancel',
  'tap free | cancel',
  'tap free | tap free',
  'tap free | tap none_free',
  'tap no | cancel',
  'accept | tap undo',
  'halt',
  'resume',
  'opt-out',
  'work a',
  'work b',
  'wait 3h',
  'wait 12h',
  'change size',
];
const CRASHES = ['a', 'b'].flatMap((node) => [1, 2, 3, 4, 5, 6].map((nth) => `crash ${node} ${nth}`));

/** Whatever can happen to a booking at a venue of this kind, what matters most the most often. */
function stepsAt(kind: PlaceKind): fc.Arbitrary<string> {
  const { method, phone, email } = PLACES[kind];
  const system = method === 'venue_system';
  const taps = (phone || email) && method !== 'phone';
  const weighted: [weight: number, lines: string[]][] = [
    [8, WORK],
    [5, TIME],
    [6, PARTNER],
    [2, WRITES],
    [2, TOGETHER],
    [2, CRASHES],
    [1, SELDOM],
    [system ? 1 : 3, DESK],
    [system ? 4 : 0, SYSTEM],
    [system ? 5 : 0, SPOILED],
    [system ? 1 : 0, SYSTEM_TOGETHER],
    [taps ? 5 : 0, TAPS],
    [taps ? 1 : 0, TAPS_TOGETHER],
    [taps && phone ? 3 : 0, TEXTS],
    [taps ? 1 : 0, ['lose text']],
    [method === 'phone' ? 5 : 0, CALLS],
  ];
  return fc.oneof(
    ...weighted
      .filter(([weight]) => weight > 0)
      .map(([weight, lines]) => ({ weight, arbitrary: fc.constantFrom(...lines) })),
  );
}

/** Lines that say more together than among all others: most of the sequences at a venue with a system are about one. */
const THEMES: readonly (readonly string[])[] = [
  [
    'system keeps tables',
    'cancel',
    'cancel right',
    'cancel | cancel',
    'change notes',
    'cancel too often',
    'desk back',
  ],
  ['system is full nearby', 'system asks its people', 'accept', 'accept', 'work a', 'change size', 'cancel'],
  [
    'system cancels',
    'system reports',
    'wait 3h',
    'wait 20m',
    'change time',
    'cancel',
    'work b',
    'system is down',
    'system is well',
  ],
  [
    'system is down',
    'system is mute',
    'spoil UpdateBooking lost',
    'change time',
    'work a',
    'wait 5m',
    'wait 12h',
    'cancel',
  ],
  [
    'system asks its people',
    'system says yes',
    'system says no',
    'wait 5m',
    'wait 3h',
    'change date',
    'halt',
    'resume',
  ],
];

/** Changes and cancellations of a promised table, before or after the venue answers about the change. */
const GIVEN_UP: readonly string[] = [
  'tap yes',
  'call 1',
  'desk yes',
  'work a',
  'change time',
  'change date',
  'change size',
  'tap offer',
  'tap no',
  'wait 20m',
  'cancel',
  'cancel right',
];

function sequencesAbout(lines: readonly string[], kind: PlaceKind): fc.Arbitrary<string[]> {
  const own = lines.filter((line) => line.startsWith('system '));
  const moods = own.length === 0 ? moodsAt(kind) : fc.oneof(fc.constantFrom(...own), moodsAt(kind));
  const steps = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...lines) },
    { weight: 2, arbitrary: fc.constantFrom(...WORK) },
    { weight: 2, arbitrary: fc.constantFrom(...(own.length === 0 ? [] : SPOILED), ...CRASHES) },
    { weight: 1, arbitrary: stepsAt(kind) },
  );
  return sequencesAt(kind, moods, steps);
}

/** The state before the first request; most errors happen at the first request. */
function moodsAt(kind: PlaceKind): fc.Arbitrary<string> {
  const system = PLACES[kind].method === 'venue_system';
  const first = SPOILED.filter((line) => line.includes('CreateBooking'));
  return fc.constantFrom(...CRASHES.slice(0, 6), ...(system ? [...SYSTEM, ...SYSTEM, ...first] : SELDOM));
}

/** Coded messages about a table that people or the system promised. */
const WRITTEN: readonly string[] = [
  'tap yes',
  'call 1',
  'desk yes',
  'work a',
  'write late',
  'write seat',
  'write more',
  'tap seen',
  'desk told',
  'write late | tap seen',
  'tap please_confirm',
  'cancel',
];

const KINDS = Object.keys(PLACES) as PlaceKind[];
const when = fc.constantFrom(
  'request today',
  'request tomorrow',
  'request soon',
  'request today window',
  'request tomorrow window',
  'request soon window',
);
const whenWaited = fc.constantFrom('request today wait', 'request tomorrow wait');
const whenChosen = fc.constantFrom('request today choice', 'request tomorrow choice');
const asked = fc.constantFrom('work a', 'work b', 'one a', 'pass 1m');

function sequencesAt(
  kind: PlaceKind,
  moods: fc.Arbitrary<string>,
  steps: fc.Arbitrary<string>,
  request: fc.Arbitrary<string> = when,
): fc.Arbitrary<string[]> {
  return fc
    .tuple(fc.array(moods, { maxLength: 3 }), request, asked, fc.array(steps, { maxLength: 14, size: 'max' }))
    .map(([before, first, then, after]) => [`place ${kind}`, ...before, first, then, ...after]);
}

/** A sequence: a venue, a request, and whatever comes then. Most venues have a system, because most can go wrong there. */
export const sequences: fc.Arbitrary<string[]> = fc.oneof(
  ...KINDS.flatMap((kind) => {
    const system = PLACES[kind].method === 'venue_system';
    const themes = (system ? [...THEMES, WRITTEN] : [GIVEN_UP, WRITTEN]).map((lines) => ({
      weight: system ? 8 : 5,
      arbitrary: sequencesAbout(lines, kind),
    }));
    const any = sequencesAt(kind, moodsAt(kind), stepsAt(kind));
    const chosen = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...CHOSEN) },
      { weight: 2, arbitrary: stepsAt(kind) },
    );
    const choice = sequencesAt(kind, moodsAt(kind), chosen, whenChosen);
    const waited = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...WAITED) },
      { weight: 1, arbitrary: stepsAt(kind) },
    );
    const wait = sequencesAt(kind, moodsAt(kind), waited, whenWaited);
    return [
      ...themes,
      { weight: 8, arbitrary: choice },
      { weight: 6, arbitrary: wait },
      { weight: system ? 16 : 7, arbitrary: any },
    ];
  }),
);
