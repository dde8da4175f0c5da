import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool } from '../harness/clients/call-tool.ts';
import { startTestService } from '../harness/service/service.ts';
import { checkFacts, type Answer } from './check-facts.ts';
import { copyDirectory } from './directory-copy.ts';
import { startModelServer, type ModelAnswer } from './model-server.ts';

type Item = { id: string; sentence: string };

const KEY = 'a-key-of-the-operator';
const model = await startModelServer();
const service = await startTestService({
  demoPlaces: 3000,
  settings: { LLM_URL: model.url, LLM_MODEL: 'small-model', LLM_KEY: KEY, LLM_TIMEOUT_MS: '1500' },
});
const directory = await copyDirectory(service);

const QUESTION = { destination: 'bali', question: 'Three good restaurants in Bali, quiet please' };
const ask = (input: Record<string, unknown> = QUESTION) =>
  callTool<Answer>(service, '/api/partner/mcp', 'concierge_answer', input);
const says =
  (change: (item: Item, at: number) => string) =>
  (items: Item[]): ModelAnswer => ({
    content: JSON.stringify({
      sentences: items.map((item, at) => ({ place_id: item.id, text: change(item, at) })),
    }),
  });

test('a model may re-word the sentences about places, and the answer says that one did', async () => {
  model.answer = says(({ sentence }) => `Consider this place: ${sentence}`);
  const answer = await ask();
  assert.equal(answer.mode, 'llm');
  assert.match(answer.answer, /Consider this place: /);
  assert.match(answer.answer, /does not say how quiet/);
  assert.match(answer.disclosure, /language model/);
  assert.deepEqual(checkFacts(answer, directory, 'bali', service.clock.now()), []);
});

test('the model gets sentences and ids: not the question, not what a venue says of itself', async () => {
  model.answer = says(({ sentence }) => sentence);
  const secret = 'zanzibarhemlock';
  await ask({ ...QUESTION, question: `${QUESTION.question} ${secret} mail me at jane@example.com` });
  const asked = model.asked.at(-1);
  assert.equal(asked?.model, 'small-model');
  assert.equal(asked.authorization, `Bearer ${KEY}`);
  assert.doesNotMatch(JSON.stringify(asked.messages), new RegExp(`${secret}|jane|quiet`));
});

test('if the model adds, changes or leaves out anything, the template is used instead', async () => {
  model.answer = says(({ sentence }) => sentence);
  const { answer: template } = await ask();
  const liars: ((items: Item[]) => ModelAnswer)[] = [
    says(({ sentence }) => `${sentence} It is wonderful.`),
    says(({ sentence }) => sentence.replace(/\d\.\d/, '5.0').replace(/(?<=from )\d+/, '9999')),
    says(({ sentence }, at) => (at === 0 ? 'A place.' : sentence)),
    says(({ sentence }) => `${sentence} See https://evil.example.`),
    says(({ sentence }) => `${sentence} ${'It is here. '.repeat(40)}`),
    (items) => ({
      content: JSON.stringify({
        sentences: items.slice(1).map(({ id, sentence }) => ({ place_id: id, text: sentence })),
      }),
    }),
    (items) => ({
      content: JSON.stringify({
        sentences: items.map(({ sentence }) => ({ place_id: 'plc_other', text: sentence })),
      }),
    }),
    () => ({ content: JSON.stringify({ sentences: [] }) }),
    () => ({ content: 'Here are some great places!' }),
    () => ({ content: '' }),
    () => ({ body: 'not json' }),
    () => ({ body: '{"choices":[]}' }),
    () => ({ status: 500 }),
    () => ({ status: 429 }),
    () => ({ endless: true }),
    () => ({ silent: true }),
  ];
  for (const liar of liars) {
    model.answer = liar;
    const answer = await ask();
    assert.equal(answer.mode, 'template');
    assert.equal(answer.answer, template);
    assert.doesNotMatch(answer.disclosure, /Worded by/);
  }
});

test('an answer in a fence of code is read, and the order of the places stays ours', async () => {
  model.answer = (items) => {
    const sentences = items.map(({ id, sentence }) => ({ place_id: id, text: sentence })).reverse();
    return { content: `\`\`\`json\n${JSON.stringify({ sentences })}\n\`\`\`` };
  };
  const { mode, answer, places } = await ask();
  assert.equal(mode, 'llm');
  const order = places.map(({ name }) => answer.indexOf(name));
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
});

test('the key of the operator is in no log', () => {
  assert.doesNotMatch(JSON.stringify(service.logged), new RegExp(KEY));
});
