import { hashToken } from '../../src/core/secret/token.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createNewId } from '../../src/core/ids.ts';
import { withWriteBench } from './against-bare.ts';
import { agentRequest } from './agent-request.ts';
import { BUSINESS, submitBare, type BareSubmission } from './bare-submission.ts';

// New businesses of agents, each with a reference of its own. So many agents take turns that no limit ends the run.
const SUBMISSIONS = Number(process.env['BENCH_SUBMISSIONS'] ?? '1000');

const newId = createNewId(systemClock);
await withWriteBench({}, async ({ pool, port, keys, compare }) => {
  const owners: { key: string; agentId: string }[] = [];
  for (const key of keys) {
    const [row] = await pool<{ id: string }[]>`
      select agent_id as id from api_key where hash = ${hashToken(key)}`;
    owners.push({ key, agentId: row?.id ?? '' });
  }
  let wanted = 0;
  await compare('Submissions: new businesses', '`POST /api/agent/business`; every answer was a 201.', [
    {
      name: 'submit_business',
      make: () => {
        wanted += SUBMISSIONS;
        return Promise.resolve(
          Array.from({ length: SUBMISSIONS }, (_, n): BareSubmission & { key: string } => {
            const ulid = newId('sub').slice(4);
            const { key, agentId } = owners[n % owners.length] ?? { key: '', agentId: '' };
            return { key, agentId, keyHash: hashToken(key), ulid, name: `Warung ${ulid}` };
          }),
        );
      },
      bare: submitBare,
      request: ({ key, ulid, name }) =>
        agentRequest(port, '/api/agent/business', key, { ...BUSINESS, external_ref: ulid, name }),
      status: 201,
    },
  ]);
  const [made] = await pool<{ count: number }[]>`select count(*)::int as count from submission`;
  if (made?.count !== wanted) throw new Error(`Only ${made?.count ?? 0} of ${wanted} submissions were made.`);
});
