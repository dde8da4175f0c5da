import type { CategoryMatch, Tags } from '../categories.ts';
import { tidy } from './names.ts';

// "Closed" in the languages of map data. Left out is what also means "indoors" or "covered" there.
const CLOSED = [
  ...[
    'closed',
    'closed down',
    'defunct',
    'out of business',
    'fermé',
    'fermée',
    'geschlossen',
    'cerrado',
    'cerrada',
  ],
  ...[
    'chiuso',
    'chiusa',
    'fechado',
    'encerrado',
    'tancat',
    'tancada',
    'gesloten',
    'lukket',
    'stengt',
    'stängt',
  ],
  ...[
    'suljettu',
    'lopetettu',
    'zamknięte',
    'zavřeno',
    'zrušeno',
    'zatvoreno',
    'închis',
    'bezárt',
    'закрыто',
    'закрыт',
  ],
  ...['закрыта', 'зачинено', 'закрито', 'затворено', 'kapandı', 'tutup', 'đã đóng cửa', 'ปิดกิจการ'],
  ...['閉店', '閉業', '閉館', '閉鎖', '闭店', '已关闭', '已停业', '已結業', '已歇業', '폐업', '폐점'],
].join('|');
const SINCE = String.raw`(?:\s+(?:since|in|seit|depuis|desde|dal|en)?\s*[\d./-]{4,10})?`;
/** In brackets, or set apart by a dash: a bar may be called Closed, and a park after the Cerrado. */
const SET_APART = new RegExp(
  String.raw`[([（【]\s*(?:${CLOSED})${SINCE}\s*[)\]）】]|^(?:${CLOSED})\s*[-–—:]\s+\S|\S\s+[-–—]\s*(?:${CLOSED})${SINCE}[.!]*$`,
  'iu',
);
/** What can mean nothing else, wherever it stands. */
const FOR_GOOD = new RegExp(
  [
    'permanently closed|closed permanently|closed for good',
    'définitivement fermée?|fermée? définitivement',
    '(?:dauerhaft|endgültig|permanent) geschlossen',
    '(?:permanentemente|definitivamente) cerrad[oa]|cerrad[oa] (?:permanentemente|definitivamente)',
    'chius[oa] (?:definitivamente|permanentemente)|definitivamente chius[oa]',
    '(?:permanentemente|definitivamente) (?:fechado|encerrado)|(?:fechado|encerrado) (?:permanentemente|definitivamente)',
    'tancat definitivament|(?:definitief|permanent) gesloten|pysyvästi suljettu|suljettu pysyvästi|stängt permanent',
    'закрыто навсегда|trwale zamknięte|zamknięte na stałe|trvale (?:uzavřeno|zavřeno)|kalıcı olarak kapalı',
    'ปิดถาวร|tutup permanen|đóng cửa vĩnh viễn|閉店しました|閉店済|永久停[業业]|永久歇業|永久关闭',
    '.(?:閉店|閉業|闭店|已停业|폐업)$',
  ].join('|'),
  'iu',
);
const SHOUTED_LAST = /\p{Ll}.*\sCLOSED[.!]*$/u;

// No day, no season and no reason that passes.
const NEVER_OPEN =
  /^(?:24\/7\s+|Mo-Su(?:,\s?PH)?\s+|PH,\s?Mo-Su\s+)?(?:closed|off)(?:\s+"[^"]*permanent[^"]*")?$|^"[^"]*permanently closed[^"]*"$/i;
const END_DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
/** Sights without doors: they are still there when nobody lets visitors in. */
const WITH_DOORS = new Set(
  'museum gallery zoo aquarium theme_park water_park casino winery distillery cidery planetarium miniature_golf amusement_arcade escape_game bowling_alley trampoline_park'.split(
    ' ',
  ),
);
const SAID_MAX = 80;

/** How the words begin in which the evidence says what the map says. */
export const MARKED_DISUSED = 'Marked as disused in the map';
export const CALLED_CLOSED = 'Called closed in the map';

/** What the tags of a place say of its having closed, as a sentence, or null. A date counts when the map was made after it. */
export function calledClosed(
  tags: Tags,
  { vertical, categories }: CategoryMatch,
  asOf: Date | null,
): string | null {
  const name = nameOfClosed(tags);
  if (name !== null) return `${CALLED_CLOSED}: its name there is “${shortened(name)}”.`;
  const hasDoors =
    vertical !== 'beach' && (vertical !== 'attraction' || categories.some((one) => WITH_DOORS.has(one)));
  if (!hasDoors) return null;
  const hours = tags.get('opening_hours')?.trim() ?? '';
  if (NEVER_OPEN.test(hours)) return `${CALLED_CLOSED}: opening_hours=${shortened(hours)}.`;
  const ended = tags.get('end_date')?.trim() ?? '';
  return asOf !== null && isOver(ended, asOf) ? `${CALLED_CLOSED}: end_date=${ended}.` : null;
}

function nameOfClosed(tags: Tags): string | null {
  for (const [key, text] of tags) {
    if (key !== 'name' && !key.startsWith('name:')) continue;
    const name = tidy(text);
    // A chain of that name is not closed in all its shops.
    if (tags.get('brand')?.toLowerCase() === 'closed' && /^closed\b/i.test(name)) continue;
    if (SET_APART.test(name) || FOR_GOOD.test(name) || SHOUTED_LAST.test(name)) return name;
  }
  return null;
}

function shortened(text: string): string {
  return text.length <= SAID_MAX ? text : `${text.slice(0, SAID_MAX - 1).toWellFormed()}…`;
}

/** Whether the year, month or day has ended by then. */
function isOver(text: string, asOf: Date): boolean {
  const [, year, month, day] = END_DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const after =
    month === undefined
      ? Date.UTC(Number(year) + 1, 0)
      : Date.UTC(
          Number(year),
          Number(month) - (day === undefined ? 0 : 1),
          day === undefined ? 1 : Number(day) + 1,
        );
  return after <= asOf.getTime();
}
