import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { debianProgram } from '../harness/debian/debian-program.ts';
import { startNginx } from '../harness/debian/nginx.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { until } from '../harness/service/jobs.ts';
import { freePort, startProgram, untilReady, type Program } from '../harness/service/program.ts';
import { USER_AGENT } from '../harness/service/service.ts';

const SERVICE = [process.execPath, 'test/harness/service/tuned-start.ts'];
const EVERY_MS = 10;
/** How many requests are sent each time: three hundred in a second, and a third of that. */
const [FULL, LITTLE] = [3, 1];
/** The runbook's fail_timeout: for so long nginx sends nothing to a node that turned it away. */
const TRUSTED_AGAIN_MS = 2_000;

const found = await debianProgram('/usr/sbin/nginx', 'nginx');
const database = await createTestDatabase();
after(() => database.drop());

test(
  'two nodes behind nginx, of one process and of two, restart one after the other, and no request fails',
  { skip: 'missing' in found && found.missing },
  async () => {
    if (!('path' in found)) return;
    const ports = [await freePort(), await freePort()];
    const start = (at: number) =>
      startProgram(SERVICE, {
        DATABASE_URL: database.url,
        PORT: String(ports[at]),
        WORKERS: String(at + 1),
        BASE_URL: 'https://waypost.example',
        DRAIN_MS: '2000',
        TRUSTED_PROXIES: '127.0.0.1',
        SIGNUPS_PER_HOUR: '1000000',
      });
    const nodes = [start(0), start(1)];
    await Promise.all(nodes.map(untilReady));
    const url = await startNginx(found.path, ports);
    await until('nginx listens', () => fetch(url).then(Boolean, () => false));
    const load = new Load(url);
    for (const [at, node] of nodes.entries()) {
      load.atOnce = FULL;
      await end(node);
      // A start needs the machine for itself.
      load.atOnce = LITTLE;
      const anew = (nodes[at] = start(at));
      await untilReady(anew);
      await pause(TRUSTED_AGAIN_MS);
    }
    const answers = await load.end();
    assert.ok((answers.get('GET 200') ?? 0) > 0 && (answers.get('POST 200') ?? 0) > 0);
    assert.deepEqual(
      [...answers].filter(([answer]) => !/ 20[01]$/.test(answer)),
      [],
    );
    await Promise.all(nodes.map(end));
  },
);

async function end(node: Program): Promise<void> {
  process.kill(node.child.pid ?? 0, 'SIGTERM');
  assert.equal(await node.ended, 0, node.said.error);
}

/** Reads over REST, calls of a tool, and sign-ups, which nobody may repeat for a caller. */
class Load {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 200 });
  readonly #answers = new Map<string, number>();
  readonly #open = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  atOnce = FULL;
  #sent = 0;

  constructor(url: string) {
    this.#url = url;
    this.#timer = setInterval(() => {
      for (let one = 0; one < this.atOnce; one++) this.#send();
    }, EVERY_MS);
    after(() => {
      clearInterval(this.#timer);
    });
  }

  /** Waits for the last answers, and gives how many came of each kind. */
  async end(): Promise<ReadonlyMap<string, number>> {
    clearInterval(this.#timer);
    await Promise.all(this.#open);
    this.#agent.destroy();
    return this.#answers;
  }

  #send(): void {
    const sent = ++this.#sent;
    const [method, path, body] =
      sent % 50 === 0
        ? (['POST', '/api/agent/signup', signUp()] as const)
        : sent % 3 === 0
          ? (['GET', '/api/agent/destinations?country=ID'] as const)
          : (['POST', '/mcp', CALL] as const);
    const answered = this.#ask(method, path, body).then((answer) => {
      const kind = `${method} ${answer}`;
      this.#answers.set(kind, (this.#answers.get(kind) ?? 0) + 1);
      this.#open.delete(answered);
    });
    this.#open.add(answered);
  }

  #ask(method: string, path: string, body?: string): Promise<string> {
    return new Promise((resolve) => {
      const headers = {
        'user-agent': USER_AGENT,
        host: 'waypost.example',
        accept: 'application/json, text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
      };
      request(this.#url + path, { method, headers, agent: this.#agent }, (response) => {
        response.resume().once('end', () => {
          resolve(String(response.statusCode));
        });
      })
        .once('error', ({ message }) => {
          resolve(message);
        })
        .end(body);
    });
  }
}

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'svc_list_destinations', arguments: { country: 'ID' } },
});

function signUp(): string {
  return JSON.stringify({
    agent_name: 'Restart Agent',
    operator_name: 'Restart Operator',
    operator_email: `${randomUUID()}@operator.example`,
    purpose: 'Comes while nodes are restarted.',
  });
}
