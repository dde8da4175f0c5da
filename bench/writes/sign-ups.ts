import { systemClock } from '../../src/core/clock.ts';
import { createNewId } from '../../src/core/ids.ts';
import { withWriteBench } from './against-bare.ts';
import { agentRequest } from './agent-request.ts';
import { signUpBare, type BareSignUp } from './bare-sign-up.ts';

// Sign-ups of agents. All come from one address, whose limit each of them takes from, one after the other.
const SIGN_UPS = Number(process.env['BENCH_SIGN_UPS'] ?? '1000');

const newId = createNewId(systemClock);
await withWriteBench({ SIGNUPS_PER_HOUR: '1000000' }, async ({ pool, port, compare }) => {
  const count = async () => {
    const [row] = await pool<{ count: number }[]>`select count(*)::int as count from agent`;
    return row?.count ?? 0;
  };
  let wanted = await count();
  await compare(
    'Sign-ups: new agents',
    '`POST /api/agent/signup` from one address; every answer was a 201.',
    [
      {
        name: 'sign_up',
        make: () => {
          wanted += SIGN_UPS;
          return Promise.resolve(
            Array.from({ length: SIGN_UPS }, (): BareSignUp => ({ ulid: newId('agt').slice(4) })),
          );
        },
        bare: signUpBare,
        request: ({ ulid }) =>
          agentRequest(port, '/api/agent/signup', undefined, {
            agent_name: 'TripPlanner',
            operator_name: 'Example Travel Ltd',
            operator_email: `${ulid}@travel.example`,
            purpose: 'Plans weekend trips for our customers.',
          }),
        status: 201,
      },
    ],
  );
  const made = await count();
  if (made !== wanted) throw new Error(`Only ${made} of ${wanted} agents were made.`);
});
