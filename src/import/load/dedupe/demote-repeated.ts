import type { Db } from '../../../core/postgres/db.ts';

const REPEATED = 20;

/**
 * Lowers the prominence of all objects but the first that refer to one Wikidata item, such as the crypt of a cathedral,
 * so that a list does not begin with the same sight twice.
 */
export async function demoteRepeated(tx: Db): Promise<void> {
  await tx`
    update import_draft d set prominence = greatest(0, d.prominence - ${REPEATED}::smallint)
    from (
      select seq, row_number() over (
        partition by destination_id, facts->>'wikidata' order by prominence desc, source_ref) as turn
      from import_draft
      where facts ? 'wikidata' and destination_id is not null and belongs_to is null and not disused) ranked
    where ranked.seq = d.seq and ranked.turn > 1`;
}
