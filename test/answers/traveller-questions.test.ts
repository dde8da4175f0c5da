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

test('short questions are answered in their language', async () => {
  const questions = {
    pt: ['Que restaurantes italianos há?', 'Que casinos há?', 'Fale-me do Chiado'],
    id: ['Hotel dekat Casino de Monte-Carlo', 'Ceritakan tentang Foto Cafe'],
    nl: ['Vertel me over Foto Cafe', 'Een hotel vlakbij het station'],
    de: ['Erzähl mir von Foto Cafe', 'Wo gibt es eine Apotheke?'],
    fr: ['Parlez-moi de Foto Cafe', 'Y a-t-il un zoo ici ?'],
    es: ['Háblame de Foto Cafe', '¿Dónde hay una farmacia?'],
    it: ['Parlami di Foto Cafe', 'Dove trovo una farmacia?'],
    en: ['Tell me about Foto Cafe', 'Is there a zoo?', 'hotel near the casino'],
  };
  const wrong: string[] = [];
  for (const [language, asked] of Object.entries(questions))
    for (const question of asked) {
      const { understood } = await callTool<Answer>(service, '/api/partner/mcp', 'concierge_answer', {
        destination: 'lisbon',
        question,
      });
      if (understood['language'] !== language) wrong.push(`${question}: ${String(understood['language'])}`);
    }
  assert.deepEqual(wrong, []);
});
