import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { z } from 'zod';
import type { Actor, Ctx, Deps } from '../../src/core/context.ts';
import { AppError } from '../../src/core/errors.ts';
import { defineOperation, type RateLimit, type Operation } from '../../src/core/operation.ts';
import { MINUTE_MS } from '../../src/core/time.ts';
import { addressGroup } from '../../src/core/text/address-group.ts';
import { runOperation } from '../../src/protocol/run/run-operation.ts';
import { OPERATIONS } from '../../src/surfaces/operations.ts';
import { signUpAgent } from '../harness/service/service.ts';
import { sharedService } from '../harness/service/shared-service.ts';

const service = await sharedService();
const { pool } = service.database;
const { deps } = service.app;

const LIMIT: RateLimit = {
  name: 'tries',
  code: 'rate_limited',
  windowMs: MINUTE_MS,
  max: () => 3,
  message: 'Too many tries.',
  counts: 'calls',
};

type Declared = Pick<Operation, 'effect'> &
  Partial<Pick<Operation, 'requires' | 'rateLimits' | 'metered' | 'noContactData' | 'vet' | 'receivers'>>;

/** An operation that is nothing but what it declares, and what happened in it. */
function made(declared: Declared, run: (ctx: Ctx) => Promise<void> | void = () => undefined) {
  let runs = 0;
  const operation = defineOperation({
    name: 'fixture',
    title: 'Fixture',
    description: 'A fixture.',
    tag: 'account',
    access: { who: 'agent', scope: 'read' },
    containsUntrustedText: false,
    tools: [],
    input: z.object({ text: z.string().optional(), callback_url: z.string().optional() }),
    output: z.object({}),
    example: { input: {}, output: {} },
    async run(ctx) {
      runs += 1;
      await run(ctx);
      return {};
    },
    ...declared,
  });
  return { operation, runs: () => runs };
}

let actor: Actor;
beforeEach(async () => {
  const { agentId } = await signUpAgent(service);
  actor = { kind: 'agent', id: agentId, plan: 'free', address: addressGroup('192.0.2.7') };
});

/** The result of a call: `ok`, or the code of its refusal. */
async function outcome(operation: Operation, input: object = {}): Promise<string> {
  try {
    await runOperation(deps, operation, { actor, requestId: 'req', input });
    return 'ok';
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : `failed: ${String(thrown)}`;
  }
}

const markerId = 'ptn_00000000000000000000000000';
const leaveMarker = async ({ db, now }: Pick<Ctx, 'db' | 'now'>) => {
  await db`insert into partner (id, email, name, created_at) values (${markerId}, 'a@left.example', 'Left', ${now})`;
};
const markers = async () => (await pool`delete from partner where id = ${markerId} returning id`).length;

describe('a read', () => {
  test('cannot write: the handle that it gets refuses', async () => {
    const { operation } = made({ effect: 'read' }, leaveMarker);
    assert.match(await outcome(operation), /^failed: .*read-only transaction/);
    assert.equal(await markers(), 0);
  });

  test('says what it wants noted, and the runner notes it afterwards', async () => {
    const { operation } = made({ effect: 'read' }, ({ note, now }) => {
      note((db) => leaveMarker({ db, now }));
    });
    assert.equal(await outcome(operation), 'ok');
    assert.equal(await markers(), 1);
  });

  test('that the caller has no quota for is not done', async () => {
    const { operation, runs } = made({ effect: 'read', metered: true });
    const outcomes: string[] = [];
    for (let at = 0; at < 103; at++) outcomes.push(await outcome(operation));
    assert.deepEqual(outcomes.slice(-4), [
      'ok',
      'daily_quota_exhausted',
      'daily_quota_exhausted',
      'daily_quota_exhausted',
    ]);
    assert.equal(runs(), 100);
  });

  test('that fails on our side costs nothing, and one that finds nothing costs one', async () => {
    const failing = made({ effect: 'read', metered: true }, () => {
      throw new Error('broken');
    });
    const empty = made({ effect: 'read', metered: true }, () => {
      throw new AppError('place_not_found', 'There is none.');
    });
    for (let at = 0; at < 3; at++) assert.match(await outcome(failing.operation), /^failed/);
    for (let at = 0; at < 100; at++) assert.equal(await outcome(empty.operation), 'place_not_found');
    assert.equal(await outcome(empty.operation), 'daily_quota_exhausted');
  });
});

describe('rate limits of an operation', () => {
  test('is taken before anything happens, and a refused call counts where calls are counted', async () => {
    const refusing = made({ effect: 'write', rateLimits: [LIMIT] }, () => {
      throw new AppError('bad_request', 'No.');
    });
    const outcomes = [];
    for (let at = 0; at < 5; at++) outcomes.push(await outcome(refusing.operation));
    assert.deepEqual(outcomes, ['bad_request', 'bad_request', 'bad_request', 'rate_limited', 'rate_limited']);
    assert.equal(refusing.runs(), 3);
  });

  test('is given back by a refusal where only what was done counts', async () => {
    let refuse = true;
    const { operation } = made({ effect: 'write', rateLimits: [{ ...LIMIT, counts: 'done' }] }, () => {
      if (refuse) throw new AppError('bad_request', 'No.');
    });
    for (let at = 0; at < 5; at++) assert.equal(await outcome(operation), 'bad_request');
    refuse = false;
    const outcomes = [];
    for (let at = 0; at < 4; at++) outcomes.push(await outcome(operation));
    assert.deepEqual(outcomes, ['ok', 'ok', 'ok', 'rate_limited']);
  });
});

test('requirements are checked in the transaction of a write, and run is not called without them', async () => {
  const requires = [
    {
      code: 'bookings_halted' as const,
      async assert({ db }: Pick<Ctx, 'db'>) {
        await leaveMarker({ db, now: service.clock.now() });
        throw new AppError('bookings_halted', 'Halted.');
      },
    },
  ];
  const { operation, runs } = made({ effect: 'write', requires });
  assert.equal(await outcome(operation), 'bookings_halted');
  assert.deepEqual([runs(), await markers()], [0, 0]);
});

test('fields that may hold no contacts are looked at before the operation is run', async () => {
  const { operation, runs } = made({ effect: 'write', noContactData: ['text'] });
  assert.equal(await outcome(operation, { text: 'call me at +62 361 555 0101' }), 'contact_data_refused');
  assert.equal(await outcome(operation, { text: 'a table by the window' }), 'ok');
  assert.equal(runs(), 1);
});

test('an address that we would never call is refused before the operation is run', async () => {
  const { operation, runs } = made({ effect: 'write', receivers: ['callback_url'] });
  assert.equal(await outcome(operation, { callback_url: 'https://127.0.0.1/hook' }), 'validation_failed');
  assert.equal(runs(), 0);
});

test('the handles of the process are not there for an operation, nor is the world outside', () => {
  const hidden: Exclude<keyof Deps, keyof Ctx['deps']>[] = ['pool', 'readPool', 'egress', 'mail', 'stripe'];
  for (const name of hidden) assert.ok(name in deps, name);
});

test('every tool of a partner says what it costs, and without that it is no tool', () => {
  const { operation } = made({ effect: 'read' });
  // @ts-expect-error the price is missing
  defineOperation({ ...operation, price: undefined, tools: ['partner'] });
  const tools = OPERATIONS.filter(({ tools }) => tools.includes('partner'));
  assert.ok(tools.length >= 8);
  for (const { name, price } of tools) assert.equal(typeof price, 'number', name);
  assert.deepEqual(
    tools.filter(({ price }) => price === 0).map(({ name }) => name),
    ['list_destinations', 'booking_link'],
    'these are free, because they say so',
  );
});
