import type { Db } from '../../core/postgres/db.ts';
import {
  shownWord,
  sourceOf,
  speak,
  type Speech,
  type SpokenColumns,
  type SpokenPlace,
} from '../../directory/word/speak.ts';
import type { Words } from '../../directory/word/word.ts';
import { SPOKEN_COLUMNS, SPOKEN_SQL } from '../../directory/word/stored-words.ts';

/** What no map says: of these a draft has no column. */
type Undrafted = (typeof UNDRAFTED)[number];
const UNDRAFTED = ['about', 'price_range', 'booking_method', 'chosen_by_venue', 'words'] as const;
const DRAFTED = SPOKEN_COLUMNS.filter((column) => !(UNDRAFTED as readonly string[]).includes(column));

const BATCH_PLACES = 1_000;

export type Draft = Omit<SpokenColumns, Undrafted> & { verified_at: string | null };

/** What a draft says, as JSON, for a table named d. */
export const DRAFT_SQL = `jsonb_build_object('verified_at', d.verified_at,
  ${DRAFTED.map((column) => `'${column}', d.${column}`).join(', ')})`;

/** As JSON has them. */
interface Spoken {
  place: Omit<SpokenPlace, 'verified_at' | 'updated_at'> & { verified_at: string | null; updated_at: string };
  draft: Draft;
}

const WRITE = `
  update import_draft d set (${DRAFTED.join(', ')}, words, words_read) =
    row (${DRAFTED.map((column) => `r.${column}`).join(', ')}, r.words, r.words_read)
  from jsonb_populate_recordset(null::import_draft, $1::jsonb) r
  where d.source = r.source and d.source_ref = r.source_ref`;

/**
 * Of a place that is claimed, or about which others have spoken, the draft is made into what the place becomes when its map speaks: the map
 * replaces its own words only. All other drafts are what the map says, as they stand. Nothing is locked meanwhile; the
 * draft keeps the words that it was made from, and a place of which somebody has spoken since is left to the next import.
 */
export async function speakInDrafts(tx: Db): Promise<void> {
  await tx`
    alter table import_draft add column words jsonb not null default '{}',
      add column words_read jsonb not null default '{}'`;
  await tx.unsafe(`
    declare spoken no scroll cursor for
    select row_to_json(s) as place, ${DRAFT_SQL} as draft
    from import_draft d
    join place p on p.source = d.source and p.source_ref = d.source_ref
    cross join lateral (select ${SPOKEN_SQL}) s
    where (p.words <> '{}' or p.badge = 'claimed') and d.destination_id is not null and not d.disused`);
  for (;;) {
    const batch = await tx.unsafe<Spoken[]>(`fetch ${BATCH_PLACES} from spoken`);
    if (batch.length === 0) break;
    await tx.unsafe(WRITE, [JSON.stringify(batch.map(spokenDraft))]);
  }
  await tx`close spoken`;
}

function spokenDraft({
  place: { verified_at, updated_at, ...rest },
  draft,
}: Spoken): SpokenPlace & { words_read: Words } {
  const place: SpokenPlace = {
    ...rest,
    verified_at: verified_at === null ? null : new Date(verified_at),
    updated_at: new Date(updated_at),
  };
  const spoken = speak(place, mapSpeech(sourceOf(place), draft));
  const ownName = shownWord(spoken, 'name')?.ref === place.source;
  return { ...spoken, latin_name: ownName ? draft.latin_name : spoken.latin_name, words_read: place.words };
}

export function mapSpeech(speaker: Omit<Speech, 'says'>, draft: Draft): Speech {
  const { name, city, address, phone, email, website, languages, hours } = draft;
  const { vertical, category, booking_url, booking_platform, verified_at } = draft;
  const booking_method = booking_platform === null ? 'phone' : 'venue_system';
  return {
    ...speaker,
    ...(verified_at === null ? {} : { at: new Date(verified_at).toISOString() }),
    says: {
      name,
      kind: { vertical, category },
      city,
      address,
      phone,
      email,
      website,
      languages,
      hours,
      booking: { booking_method, booking_url, booking_platform },
    },
  };
}
