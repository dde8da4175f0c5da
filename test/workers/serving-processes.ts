import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { until } from '../harness/service/jobs.ts';
import type { Program } from '../harness/service/program.ts';
import { USER_AGENT } from '../harness/service/service.ts';

/** The serving processes of a service, by their ids. */
export function servingProcesses({ child }: Program): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    return Number(parent) === child.pid && args.join(' ').endsWith('src/cli.ts start') ? [Number(pid)] : [];
  });
}

export interface Answer {
  status: number;
  body: string;
  /** Whether the connection was there already. */
  kept: boolean;
}

/** One connection that is kept: all that goes over it is answered by the same process. */
export class Connection {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = url;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const asking = request(this.#url + path, {
      agent: this.#agent,
      headers: { 'user-agent': USER_AGENT, ...headers },
    });
    asking.end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await text(response), kept: asking.reusedSocket };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** As many connections as asked for. They are opened one behind the other, so that the processes take turns. */
export async function connections({ url }: Program, count: number): Promise<Connection[]> {
  const opened: Connection[] = [];
  while (opened.length < count) {
    const connection = new Connection(url);
    await connection.get('/healthz');
    opened.push(connection);
  }
  return opened;
}

/** Sends as many requests as asked for over all connections at once. */
export async function sendAll(
  over: readonly Connection[],
  count: number,
  send: (connection: Connection) => Promise<Answer>,
): Promise<number[]> {
  let left = count;
  const statuses: number[] = [];
  const sendSome = async (connection: Connection) => {
    while (left-- > 0) statuses.push((await send(connection)).status);
  };
  await Promise.all(over.map(sendSome));
  return statuses;
}

export async function untilServing(program: Program, count: number): Promise<number[]> {
  return until(`${count} processes serve`, () => {
    const found = servingProcesses(program);
    return found.length === count && found;
  });
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
