import type { Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { recordClosure, recordReopening } from './closure.ts';

type Options = Readonly<Record<string, string | undefined>>;

const REPORTED = {
  closed: 'The place is believed closed. Search no longer returns it.',
  suspected: 'The report is recorded. The place stays open because it was confirmed after that date.',
  answered: 'Nothing was changed: the place was reopened after that date.',
  unproven: 'Nothing was changed: this does not prove that the place has closed.',
} as const;

const REOPENED = {
  open: 'The place is open again. Search returns it.',
  still_closed: 'The place stays closed: there is other evidence.',
  unchanged: 'Nothing was changed: the place is not believed closed.',
} as const;

/** `closure report --place P --url URL --note TEXT`: records a public report that a place has closed. */
export async function reportClosureCommand(tx: Db, now: Date, options: Options): Promise<string> {
  const closure = {
    placeId: placeOption(options),
    kind: 'published_report' as const,
    source_url: requiredOption(options, 'url'),
    note: requiredOption(options, 'note'),
    observed_at: now,
  };
  return REPORTED[await recordClosure(tx, now, closure)];
}

/** `closure reopen --place P --note TEXT`: records that a member of staff found the place open. */
export async function reopenPlaceCommand(tx: Db, now: Date, options: Options): Promise<string> {
  const reopening = {
    placeId: placeOption(options),
    note: requiredOption(options, 'note'),
    source: 'staff' as const,
  };
  return REOPENED[await recordReopening(tx, now, reopening)];
}

function placeOption(options: Options): string {
  const place = requiredOption(options, 'place');
  if (!/^plc_[0-9a-z]{26}$/.test(place))
    throw new AppError(
      'validation_failed',
      '--place must be the id of a place, such as plc_01hzy3v6k8m2n4p6q8r0s2t4v6.',
    );
  return place;
}

function requiredOption(options: Options, name: string): string {
  const value = options[name]?.trim() ?? '';
  if (value === '') throw new AppError('validation_failed', `--${name} must be given.`);
  return value;
}
