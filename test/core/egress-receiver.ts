import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, type Server } from 'node:net';
import { after } from 'node:test';
import { EgressError, type EgressErrorCode } from '../../src/core/egress/egress-error.ts';
import { type EgressPolicy, type Resolve } from '../../src/core/egress/egress-target.ts';
import { type EgressRequest } from '../../src/core/egress/egress.ts';

export const GET: EgressRequest = { method: 'GET', headers: { 'user-agent': 'WaypostTests/1.0' } };
/** Long enough for a busy machine to connect; only answers that never end wait for it. */
export const SHORT_MS = 1_000;

export function answering(...answers: string[][]): Resolve & { asked: string[] } {
  const asked: string[] = [];
  const resolve = (host: string) => {
    const answer = answers[Math.min(asked.push(host), answers.length) - 1] ?? [];
    return Promise.resolve(
      answer.map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) })),
    );
  };
  return Object.assign(resolve, { asked });
}

export const neverAsked: Resolve = (host) => assert.fail(`${host} was looked up`);
export const PUBLIC = '93.184.216.34';

export function policy(more: Partial<EgressPolicy> = {}): EgressPolicy {
  return { allow: [], resolve: neverAsked, ...more };
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export interface Seen {
  port: number;
  requests: { method: string; path: string; host: string; body: string }[];
}

/** A real server on loopback, with a note of every request that reached it. */
export async function serve(answer: RequestListener): Promise<Seen> {
  const requests: Seen['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = request;
      requests.push({ method, path, host: headers.host ?? '', body });
      answer(request, response);
    });
  });
  const port = await listen(server);
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, requests };
}

export async function refusal(
  work: Promise<unknown>,
  code: EgressErrorCode,
  what?: string,
): Promise<EgressError> {
  try {
    await work;
  } catch (thrown) {
    assert.ok(thrown instanceof EgressError, String(thrown));
    assert.equal(thrown.code, code, `${what ?? ''} ${thrown.message}`);
    return thrown;
  }
  return assert.fail(`${what ?? 'it'} was not refused`);
}
