import { fold } from '../../core/text/fold.ts';
import spellings from './fields.json' with { type: 'json' };

/** Fields that a column of a table or a property of a GeoJSON feature can hold. Most are map tags. */
export type TableField = keyof typeof spellings | `name:${string}`;

export const TABLE_FIELDS = Object.keys(spellings) as (keyof typeof spellings)[];
export const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;

const fieldBySpelling = new Map(
  TABLE_FIELDS.flatMap((field) =>
    [field, ...spellings[field].split('|')].map((spelling) => [plain(spelling), field] as const),
  ),
);

/** Name in a language, such as `name:fr`, `name_fr` or `name (fr)`. */
const NAME_IN_LANGUAGE = /^name[\s:_(-]+([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?)\)?$/i;

/** Returns the field that a header or a property usually means. */
export function fieldOf(header: string): TableField | undefined {
  const field = fieldBySpelling.get(plain(header));
  if (field !== undefined) return field;
  const language = NAME_IN_LANGUAGE.exec(header.trim())?.[1];
  return language === undefined ? undefined : `name:${language.toLowerCase()}`;
}

export function isTableField(name: string): name is TableField {
  return Object.hasOwn(spellings, name) || /^name:[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/.test(name);
}

function plain(header: string): string {
  return fold(header)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
