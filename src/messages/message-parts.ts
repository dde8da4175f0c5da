import type { Db } from '../core/postgres/db.ts';

export const BETWEEN_PARTS = '\n\n';

export interface MessagePart {
  /** The id of the record that the paragraph is about; null when it names nobody. */
  about: string | null;
  text: string;
  /** The text without the guest's name and without anything the guest wrote. */
  nameless: string;
}

/** Replaces the body of messages that were written before parts existed: in those, names cannot be located. */
const ERASED = 'Erased with the booking that it was about.';

/** Removes names about these records from queued messages. Parts about other records remain. */
export async function erasePartsAbout(db: Db, records: readonly string[]): Promise<void> {
  await db`
    update message m set parts = erased.parts, body = erased.body
    from (
      select w.id, jsonb_agg(p.part order by p.at) as parts,
             string_agg(p.part->>'text', ${BETWEEN_PARTS} order by p.at) as body
      from message w cross join lateral (
        select at, case when part->>'about' = any(${records}::text[])
                        then part || jsonb_build_object('text', part->'nameless') else part end as part
        from jsonb_array_elements(w.parts) with ordinality as given (part, at)) p
      where w.parts is not null and exists (
        select from jsonb_array_elements(w.parts) as known (one) where one->>'about' = any(${records}::text[]))
      group by w.id) erased
    where m.id = erased.id and m.parts is not null`;
  await db`
    update message set body = ${ERASED}
    where subject_id = any(${records}::text[]) and parts is null and body is not null`;
}
