import type { Db } from '../../core/postgres/db.ts';
import { setImmediate } from 'node:timers/promises';
import { copyInto } from '../../core/postgres/copy-into.ts';
import type { PlaceReading } from '../place-draft.ts';
import type { CoveringDestination } from './covering-destination.ts';
import { OutsidePlaces } from './outside-places.ts';
import { DRAFT_COLUMNS, type DraftLines } from './draft-line.ts';

const COPIED_COLUMNS = DRAFT_COLUMNS.replaceAll(/ \w+(\[\])?(?=,|$)/g, '');
const BATCH_PLACES = 5_000;
// Compiling hours takes so long that the socket and the progress bar need turns of the event loop in between.
const PLACES_PER_TURN = 250;

interface Staged {
  drafts: number;
  outside: OutsidePlaces;
  used: Set<string>;
}

/** Minimum number of drafts for an index and statistics; fewer are compared as fast without. */
const INDEXED_DRAFTS_MIN = 5_000;

/** Reads the source into a temporary table. `belongs_to` is the place that an object is part of, if another one. */
export async function stageDrafts(
  tx: Db,
  reading: PlaceReading,
  covering: CoveringDestination,
  lines: DraftLines,
): Promise<Staged> {
  await tx.unsafe(
    `create temp table import_draft (seq bigint generated always as identity, ${DRAFT_COLUMNS},
      belongs_to text) on commit drop`,
  );
  const staged: Staged = { drafts: 0, outside: new OutsidePlaces(), used: new Set() };
  // The next batch is read while the database loads the previous one.
  let sending: Promise<unknown> = Promise.resolve();
  try {
    for await (const chunk of chunksOf(reading, covering, lines, staged)) {
      await sending;
      sending = copyInto(tx, `import_draft (${COPIED_COLUMNS})`, [chunk]);
      // An error is thrown where the batch is awaited; until then it must not count as an unhandled rejection.
      sending.catch(() => undefined);
    }
  } finally {
    await sending;
  }
  if (staged.drafts >= INDEXED_DRAFTS_MIN) {
    await tx`create index on import_draft (source_ref)`;
    await tx`analyze import_draft`;
  }
  await tx`
    delete from import_draft earlier using import_draft later
    where later.source_ref = earlier.source_ref and later.seq > earlier.seq`;
  return staged;
}

async function* chunksOf(
  reading: PlaceReading,
  covering: CoveringDestination,
  lines: DraftLines,
  staged: Staged,
): AsyncGenerator<Buffer> {
  let text = '';
  for await (const batch of reading.batches()) {
    for (const draft of batch.places) {
      const destination = covering.at(draft);
      if (destination === undefined) {
        if (draft.closed === null) staged.outside.add(draft);
      } else if (draft.name_generated !== true) {
        // A settlement with nothing but unnamed objects does not become a destination.
        staged.used.add(destination.id);
      }
      text += lines.line(draft, destination);
      if (++staged.drafts % PLACES_PER_TURN === 0) await setImmediate();
      if (staged.drafts % BATCH_PLACES !== 0) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  if (text !== '') yield Buffer.from(text);
}
