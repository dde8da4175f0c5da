import type { Db } from '../core/postgres/db.ts';

export const BETWEEN_PARTS = '\n\n';

/** A paragraph of a message, about one record. */
export interface MessagePart {
  /** The record that it is about; null where it names nobody. */
  about: string | null;
  text: string;
  /** The same text without the guest's name and without what the guest wrote. */
  nameless: string;
}

/** What messages have from before they had parts: which words are a name cannot be told any more. */
const ERASED = 'Erased with the booking that it was about.';

/**
 * Rewrites what waits to be sent, or lies in the outbox, so that it names nobody whom these records are about. What it
 * says of others in the same message stays.
 */
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
