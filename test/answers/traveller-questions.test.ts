import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool } from '../harness/clients/call-tool.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import { LONG } from '../harness/tier.ts';
import { checkFacts, type Answer } from './check-facts.ts';
import { copyDirectory } from './directory-copy.ts';
import { judgeAnswer } from './judge-answer.ts';
import { OTHER_LANGUAGES } from './questions/other-languages.ts';
import { TRAVELLER_QUESTIONS } from './traveller-questions.ts';

const SHARE_MIN = 0.9;
const OTHER_LANGUAGES_MIN = 30;

const service = await sharedService({ demoPlaces: LONG ? 20_000 : 3_000 });
const directory = await copyDirectory(service);

test('nine in ten of 121 travellers get what a person would answer, and no answer states what the directory does not hold', async (t) => {
  assert.equal(TRAVELLER_QUESTIONS.length, 121);
  assert.ok(OTHER_LANGUAGES.length >= OTHER_LANGUAGES_MIN);
  const missed: string[] = [];
  const wrong: string[] = [];
  let claims = 0;
  for (const asked of TRAVELLER_QUESTIONS) {
    const { destination, question } = asked;
    const answer = await callTool<Answer>(service, '/api/partner/mcp', 'concierge_answer', {
      destination,
      question,
    });
    const misses = judgeAnswer(asked, answer, directory);
    if (misses.length > 0) missed.push(`${question} (${misses.join('; ')}): ${answer.answer}`);
    wrong.push(
      ...checkFacts(answer, directory, destination, service.clock.now()).map(
        (fault) => `${question}: ${fault}`,
      ),
    );
    claims += answer.claims.length;
  }
  const right = TRAVELLER_QUESTIONS.length - missed.length;
  for (const line of missed) t.diagnostic(`missed: ${line}`);
  t.diagnostic(
    `${right} of ${TRAVELLER_QUESTIONS.length} right (${((right / TRAVELLER_QUESTIONS.length) * 100).toFixed(1)} %)`,
  );
  t.diagnostic(`${claims} claims held against the database, ${wrong.length} wrong`);
  assert.deepEqual(wrong, []);
  assert.ok(right / TRAVELLER_QUESTIONS.length >= SHARE_MIN, missed.join('\n'));
});
