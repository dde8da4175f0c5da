import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rpc } from '../../harness/clients/mcp.ts';
import { PARTNER_MCP, roomyKey } from '../../harness/people/partner.ts';
import { startTestService } from '../../harness/service/service.ts';
import { LONG } from '../../harness/tier.ts';
import { checkFacts, type Answer } from '../check-facts.ts';
import { copyDirectory, instantOf } from '../directory-copy.ts';
import { judgeParts } from './judge-parts.ts';
import { readQuestions, type CompleteQuestion } from './questions.ts';

// It is Saturday, 14 November 2026, 12:00 UTC.
const service = await startTestService({ demoPlaces: LONG ? 20_000 : 3_000 });
const directory = await copyDirectory(service);

const SATURDAY = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'id', 'ja', 'held-out', 'held-out-2'];
/** These are asked two days later, on Monday at 15:04 UTC. */
const MONDAY = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'id', 'held-out-3', 'held-out-4'].map(
  (file) => `monday/${file}`,
);
const LATER_MS = 51 * 3_600_000 + 4 * 60_000;
const FILES = [...SATURDAY, ...MONDAY];
/** In the quick tier a part of the questions of each file is asked, of a smaller directory. */
const EVERY_NTH_QUESTION = LONG ? 1 : 8;
/** These are about areas and kinds of which only the large one holds places. */
const OF_THE_LARGE = new Set([
  'sunset sailing trip with dolphins',
  'Heuriger in Grinzing mit Schrammelmusik',
]);

for (const file of FILES)
  test(`no answer leaves a part of a question out or states what is not so: ${file}`, async (t) => {
    if (file === MONDAY[0]) service.clock.advance(LATER_MS);
    const questions = readQuestions(file).filter(
      ({ question }, at) => LONG || (at % EVERY_NTH_QUESTION === 0 && !OF_THE_LARGE.has(question)),
    );
    const faults: string[] = [];
    let right = 0;
    for (const asked of questions) {
      const { answer, text } = await ask(asked);
      const found = [...judgeParts(asked, answer, text, directory), ...factFaults(asked, answer)];
      if (found.length === 0) right++;
      else faults.push(`${asked.question}\n    ${found.join('\n    ')}\n    ${text.split('\nWritten')[0]}`);
    }
    t.diagnostic(`${right} of ${questions.length} without a fault`);
    assert.deepEqual(faults, []);
  });

test('a third of at least three hundred questions has a part that the directory cannot answer', () => {
  const all = FILES.flatMap(readQuestions);
  assert.ok(all.length >= 300 && all.filter(({ missing }) => missing.length > 0).length * 3 >= all.length);
});

async function ask({ destination, question }: CompleteQuestion): Promise<{ answer: Answer; text: string }> {
  const params = { name: 'concierge_answer', arguments: { destination, question } };
  const message = { id: 1, method: 'tools/call', params };
  const { body } = await rpc(service, PARTNER_MCP, message, await roomyKey(service));
  const [{ text } = { text: '' }] = body.result?.['content'] as { text: string }[];
  return { answer: body.result?.['structuredContent'] as Answer, text };
}

function factFaults({ destination }: CompleteQuestion, answer: Answer): string[] {
  const now = service.clock.now();
  const faults = checkFacts(answer, directory, destination, now);
  const { open_at } = answer.understood;
  const timezone = [...directory.values()].find(({ slug }) => slug === destination)?.timezone ?? 'UTC';
  if (open_at !== null && instantOf(timezone, open_at) < now) faults.push(`${open_at} is past`);
  return faults;
}
