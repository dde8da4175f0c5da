import type { Db } from '../../../core/postgres/db.ts';
import { ImportFileError } from '../../import-file-error.ts';
import type { PlaceDraft } from '../../place-draft.ts';

/** More closures than both of these in one destination suggest an incomplete file. */
const CLOSURES_MAX = 20;
const CLOSED_SHARE_MAX = 0.02;
const AREAS_SHOWN_MAX = 5;

interface ClosingArea {
  name: string;
  closed: number;
  places: number;
  examples: string[];
}

/** Aborts the import, which then changes nothing, when it would close implausibly many places. */
export async function rejectManyClosures(
  tx: Db,
  file: string,
  source: PlaceDraft['source'],
  closed: readonly string[],
): Promise<void> {
  if (closed.length <= CLOSURES_MAX) return;
  const areas = await tx<ClosingArea[]>`
    select d.name, count(*) filter (where p.id = any(${[...closed]}))::int as closed, count(*)::int as places,
      (array_agg(p.name || ' (' || p.source_ref || ')' order by p.id) filter (where p.id = any(${[...closed]})))[1:3] as examples
    from place p join destination d on d.id = p.destination_id
    where p.source = ${source} and (p.closed_at is null or p.id = any(${[...closed]}))
    group by d.id
    having count(*) filter (where p.id = any(${[...closed]})) > greatest(${CLOSURES_MAX}, count(*) * ${CLOSED_SHARE_MAX}::float8)
    order by closed desc, d.name`;
  if (areas.length === 0) return;
  const unlisted = areas.length - AREAS_SHOWN_MAX;
  throw new ImportFileError(
    [
      `${file} would close more than ${CLOSED_SHARE_MAX * 100} % and more than ${CLOSURES_MAX} of the places in one destination. Nothing was changed.`,
      ...areas
        .slice(0, AREAS_SHOWN_MAX)
        .map(
          ({ name, closed: gone, places, examples }) =>
            `  ${name}: ${gone} of ${places} (${((gone / places) * 100).toFixed(1)} %), such as ${examples.join(', ')}`,
        ),
      ...(unlisted > 0 ? [`  and ${unlisted} more destinations`] : []),
      'This happens with a file that is truncated, filtered or covers a smaller area: get the complete file. If these places have closed, repeat the import with --confirm-closures.',
    ].join('\n'),
  );
}
