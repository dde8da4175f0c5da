import { z } from 'zod';
import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { DAY_MS } from '../../core/time.ts';
import { defineTask } from '../../jobs/task.ts';
import { isHalted } from '../kill-switch/kill-switch.ts';
import { wakeBookings } from '../move-booking.ts';
import { askNextVenue } from './ask-next-venue.ts';
import { listChoiceBookings, lockChoice, wakeChoice } from './choice.ts';
import { nextVenue } from './next-venue.ts';

/** Performs the due step of a choice. It depends only on the database, so it may run at any time and place. */
export const advanceChoice = defineTask({
  kind: 'asking',
  payload: z.object({ choice_id: z.string() }),
  run: ({ deps, inTransaction }, { choice_id: id }) => inTransaction((tx) => advance(deps, tx, id)),
});

async function advance(deps: Deps, tx: Db, id: string): Promise<void> {
  const halted = await isHalted(tx);
  const choice = await lockChoice(tx, id);
  if (choice === undefined) return;
  const now = deps.clock.now();
  const step = nextVenue({ choice, bookings: await listChoiceBookings(tx, id), halted, now });
  switch (step.kind) {
    case 'ask':
      return askNextVenue(deps, tx, choice, step.position);
    case 'withdraw':
      // Each is withdrawn by its own job, which locks it.
      return wakeBookings(tx, step.bookingIds);
    case 'wait':
      return wakeChoice(tx, id, step.until.getTime() - now.getTime());
    case 'nothing':
  }
}

/** Choices of the past need no job: no venue is asked for a table whose time is over. */
const PAST_MS = 2 * DAY_MS;

/** Queues the jobs of choices that have none: after a halt, or when they were lost. */
export async function wakeOpenChoices(db: Db, now: Date): Promise<void> {
  const open = await db<{ id: string }[]>`
    select c.id from booking_choice c
    where c.date >= ${new Date(now.getTime() - PAST_MS)}::timestamptz::date
      and (c.ended_at is null and c.turns < cardinality(c.place_ids)
           or exists (select from booking b where b.choice_id = c.id and b.status in ('sent','asking','offered')))
      and not exists (select from graphile_worker.jobs j
                      where j.key = 'choice/' || c.id and j.run_at <= now() and j.attempts < j.max_attempts)`;
  for (const { id } of open) await wakeChoice(db, id);
}
