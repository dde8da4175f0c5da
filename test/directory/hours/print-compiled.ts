import { compileHours } from '../../../src/directory/hours/compile/compile-hours.ts';
import { openAt } from '../../../src/directory/hours/open-at.ts';
import { BERLIN } from './berlin.ts';

// Prints what becomes of some values, for a comparison between processes in different time zones.
const TEXTS = [
  'Mo-Fr 02:30-17:00; Sa 10:00-14:00',
  'Mo-Su 18:00-02:30; Mo off',
  'Mo-Sa 09:00-17:00; PH off',
  'Oct-Mar 01:30-02:45; Apr-Sep 02:00-03:00',
  'sunrise-sunset',
  '(sunset+01:00)-24:00; Dec 24 off',
  'Sa[1],Sa[-1] 10:00-14:00; easter off',
  'week 01-53/2 Mo 10:00-12:00',
  '2026 Nov 01-2027 Mar 14 02:15-02:45; Mar 28 02:00-03:00 off',
  'Mo-Fr 9am-5pm',
];

for (const text of TEXTS) {
  const compiled = compileHours(text, BERLIN);
  const instants = Array.from({ length: 90 }, (_, at) => new Date(BERLIN.now.getTime() + at * 381_000_000));
  const states =
    compiled === null ? [] : instants.map((instant) => openAt(compiled, BERLIN.timezone, instant));
  process.stdout.write(`${JSON.stringify([text, compiled, states])}\n`);
}
const unread = compileHours('ask inside', BERLIN);
process.stdout.write(`${JSON.stringify(unread)}\n`);
